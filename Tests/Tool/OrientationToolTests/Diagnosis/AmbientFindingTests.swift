// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire
import Testing

@testable import OrientationTool

/// Findings about the ambient sensors.
@Suite struct AmbientFindingTests {
    private let good = MachineFacts.good

    private func sensor(
        _ name: String, _ kind: SensorKind, isChosen: Bool = true, why: String = "", lastError: String? = nil
    ) -> SensorDescription {
        var sensor = SensorDescription(
            id: "iio:device1", name: name, isChosen: isChosen, why: why, lastError: lastError)
        (sensor.kind, sensor.isFailing) = (kind, lastError != nil)
        return sensor
    }

    @Test func `a chosen ambient sensor that fails is a problem with the failure`() {
        let failing = good.with {
            $0.daemon.ambient = AmbientSensorListMessage(
                [sensor("als", .light, lastError: "cannot read in_illuminance_raw: Input/output error")],
                isServed: true)
        }.fault("ambient")
        #expect(failing?.level == .problem)
        #expect(
            failing?.summary
                == "the light sensor iio:device1 (als) fails: cannot read in_illuminance_raw: Input/output error")
        #expect(failing?.fix == nil)
    }

    @Test func `ambient sensors that the daemon cannot list are a problem of the sensor, not of the daemon`() {
        let unlisted = good.with {
            $0.daemon.ambientFailure = "an ambient sensor: timed out: no response for 5 s"
        }
        let finding = unlisted.fault("ambient")
        #expect(finding?.level == .problem)
        #expect(
            finding?.summary == "the daemon cannot list the ambient sensors: "
                + "an ambient sensor: timed out: no response for 5 s")
        #expect(
            finding?.detail?.contains("the lid angle of a laptop may be unknown; otherwise rotation is not affected")
                == true)
        #expect(finding?.fix == nil)
        #expect(unlisted.fault("sensor") == nil)
    }

    @Test func `ambient sensors that the daemon uses are ok, and one that it cannot use is a note with the reason`() {
        let sensors = [
            sensor("als", .light, why: "in_illuminance_raw, every 0.8 s"),
            sensor("stk3310", .proximity, isChosen: false, why: "the level is unknown"),
        ]
        let listed = good.with {
            $0.daemon.ambient = AmbientSensorListMessage(sensors, isServed: true)
        }
        let findings = Examination(listed).findings.filter { $0.check == "ambient" }
        #expect(findings.map(\.level) == [.ok, .note])
        #expect(findings.first?.summary == "light sensor iio:device1 (als): in_illuminance_raw, every 0.8 s")
        #expect(
            findings.last?.summary == "the proximity sensor iio:device1 (stk3310) cannot be used: the level is unknown")
        let alone = listed.with { $0.daemon.ambient = AmbientSensorListMessage(sensors, isServed: false) }
        let unserved = Examination(alone).findings.filter { $0.check == "ambient" }
        #expect(unserved.map(\.level) == [.ok, .note])
        #expect(unserved.last == findings.last)
        #expect(unserved.first?.summary == "light sensor iio:device1 (als): not used: the daemon runs without --dbus")
        #expect(unserved.first?.detail == "To serve it to desktops, install the package orientationd-sensorproxy")
        let refused = listed.with {
            $0.daemon.ambient = AmbientSensorListMessage(sensors, isServed: false, outage: "the bus refuses the name")
        }
        let finding = Examination(refused).findings.first { $0.check == "ambient" }
        #expect(finding?.summary == "light sensor iio:device1 (als): not used: the daemon serves no desktop")
        #expect(finding?.detail == nil)
    }
}
