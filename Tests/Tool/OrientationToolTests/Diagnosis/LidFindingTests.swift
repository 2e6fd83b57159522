// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire
import Testing

@testable import OrientationTool

/// Findings about the sensors of the lid angle.
@Suite struct LidFindingTests {
    private let good = MachineFacts.good

    @Test func `a laptop with two accelerometers and no tablet switch is offered one`() throws {
        let laptop = good.with {
            $0.service.units.append(.init(lines: ["Id=orientation-tablet-switch.service", "LoadState=loaded"]))
            var hinge = SensorDescription(id: "iio:device0", name: "kxcjk1013", isChosen: true)
            hinge.kind = .hinge
            $0.daemon.ambient = AmbientSensorListMessage([hinge], isServed: false)
        }
        let finding = try #require(laptop.fault("lid"))
        #expect(finding.level == .note)
        #expect(finding.summary.hasPrefix("this laptop has two accelerometers and no tablet switch: "))
        #expect(finding.fix?.command == "sudo systemctl enable --now orientation-tablet-switch")
        let without = laptop.with { $0.service.units.removeLast() }
        #expect(without.fault("lid")?.fix == nil && without.fault("lid")?.detail?.contains("The package") == true)
        let notebook = laptop.with {
            $0.chassis = Chassis(
                line: { $0.hasSuffix("chassis_type") ? "10" : nil },
                nodes: { [("event3", "/devices/platform", false)] })
        }
        #expect(notebook.chassis?.laptopReason != nil && notebook.fault("tabletMode") == nil)
        let hinged = laptop.with { $0.accelerometers[0].id = "iio:device1" }
        #expect(hinged.fault("lid")?.summary.contains("a hinge sensor") == true)
        #expect(laptop.with { $0.hasDerivedSwitch = true }.fault("lid") == nil)
        #expect(laptop.with { $0.tabletSwitches = [("event5", InputAttributes())] }.fault("lid") == nil)
        #expect(laptop.with { $0.daemon.state?.tabletMode = false }.fault("lid") == nil)
        #expect(good.fault("lid") == nil)
        let measured = laptop.with {
            $0.daemon.state?.tabletMode = false
            $0.daemon.state?.lidAngle = 100
        }
        #expect(measured.fault("lid") != nil && measured.fault("tabletMode") == nil)
        let summary = { (facts: MachineFacts) in Check.tabletMode.findings(facts).map(\.summary) }
        #expect(summary(measured) == ["tablet mode is off, as the lid angle says"])
        let switched = measured.with { $0.tabletSwitches = [("event5", InputAttributes())] }
        #expect(summary(switched) == ["tablet mode is off, as the tablet switch says"])
    }

    @Test func `a tablet switch that the lid angle overrules is a note, which says what follows the switch`() throws {
        let wrong = good.with {
            $0.tabletSwitches = [("event5", InputAttributes(name: "hinge"))]
            $0.daemon.state?.tabletMode = false
            $0.daemon.state?.lidAngle = 100
            $0.daemon.state?.isTabletSwitchOverruled = true
        }
        let finding = try #require(wrong.fault("tabletMode"))
        #expect(finding.level == .note)
        #expect(finding.summary == "the tablet switch says tablet at a lid angle of 100°, which overrules it")
        #expect(finding.detail?.contains("The keyboard and the touchpad follow the switch") == true)
    }

    @Test func `a hinge sensor without a driver is named`() throws {
        let finding = try #require(good.with { $0.hasDriverlessHinge = true }.fault("lid"))
        #expect(finding.summary.contains("HID-SENSOR-INT-020b"))
        #expect(finding.detail?.contains("CONFIG_HID_SENSOR_CUSTOM_INTEL_HINGE") == true)
    }
}
