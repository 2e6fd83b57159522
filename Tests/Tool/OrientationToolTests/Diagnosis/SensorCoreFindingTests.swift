// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationTool

/// Findings about the sensor core of Snapdragon machines.
@Suite struct SensorCoreFindingTests {
    /// A Snapdragon machine without IIO accelerometers.
    private let machine = MachineFacts.good.with {
        $0.accelerometers = []
        $0.sensorCore = "fastrpc-adsp"
        $0.daemon.sensors = []
    }

    @Test func `the chosen sensor of the core is a local one`() {
        let used = machine.with {
            $0.daemon.sensors = [SensorDescription(id: "accel0", name: "lsm6dso", driver: "ssc", isChosen: true)]
        }
        #expect(used.source == "auto" && used.usesOwnSensor)
    }

    @Test func `an accelerometer of the core is one, and needs a mount matrix`() {
        var sensor = SensorDescription(id: "accel0", name: "lsm6dso", driver: "ssc", isChosen: true)
        let listed = machine.with { $0.daemon.sensors = [sensor] }
        #expect(listed.fault("devices") == nil)
        #expect(listed.fault("sensorCore")?.level == .note)
        #expect(listed.fault("sensorCore")?.fix == Fix.calibrate)
        sensor.matrixSource = SensorProperty.mountMatrix.source
        #expect(machine.with { $0.daemon.sensors = [sensor] }.fault("sensorCore") == nil)
    }
}
