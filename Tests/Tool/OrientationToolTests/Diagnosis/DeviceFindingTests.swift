// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationModel
@testable import OrientationTool

/// Findings about the accelerometers of the machine, and which one the daemon uses.
@Suite struct DeviceFindingTests {
    private let good = MachineFacts.good

    @Test func `no accelerometer is a problem, fixed by loading its driver if there is one`() {
        let none = good.with { $0.accelerometers = [] }
        #expect(none.fault("devices")?.level == .problem)
        #expect(none.fault("devices")?.fix == nil && none.fault("devices")?.detail?.contains("fake:") == true)
        let waiting = none.with {
            $0.driverless = [.init(name: "i2c-KIOX010A:00", bus: "i2c", modules: ["kxcjk_1013"])]
        }
        #expect(waiting.fault("devices")?.fix == nil)
        #expect(waiting.fault("drivers")?.level == .problem)
        #expect(waiting.fault("drivers")?.fix?.command == "sudo modprobe kxcjk_1013")
    }

    @Test func `an input device that is an accelerometer is used without another one`() {
        let none = good.with {
            $0.accelerometers = []
            $0.inputAccelerometers = [.input("event4", named: "lis3lv02d", bus: "0010")]
        }
        #expect(none.fault("devices") == nil)
        let controller = none.with {
            $0.inputAccelerometers[0].attributes.input?.bus = "0003"
        }
        let findings = Examination(controller).findings.filter { $0.check == "devices" }
        #expect(findings.map(\.level) == [.note, .problem])
        #expect(findings.first?.summary.contains("event4") == true)
        #expect(
            findings.last?.summary
                == "the only accelerometer, event4 (lis3lv02d), is not used: part of a game controller: on USB or Bluetooth"
        )
        #expect(
            findings.last?.fix?.command.contains(
                #"'SUBSYSTEM=="input", ATTRS{name}=="lis3lv02d", ENV{ACCEL_LOCATION}="display"'"#) == true)
    }

    /// Two sensors of one hub.
    private func twins(_ change: (inout DeviceFacts) -> Void = { _ in }) -> MachineFacts {
        good.with { facts in
            let hub = "/sys/devices/pci0000:00/0000:00:12.0/{33AECD58-B679-4E54-9BD9-A04D34F0C226}/001F:8087:0AC2.0001"
            facts.accelerometers = [(0, "2"), (1, "9")].map { number, instance in
                var device = DeviceFacts.good
                device.id = "iio:device\(number)"
                device.path = "\(hub)/HID-SENSOR-200073.\(instance).auto/\(device.id)"
                return device
            }
            change(&facts.accelerometers[1])
        }
    }

    @Test func `of equal sensors the choice is a guess, with the rule by path that decides`() throws {
        let finding = try #require(twins().fault("devices"))
        #expect(finding.level == .note)
        #expect(
            finding.summary.hasPrefix("iio:device0 (kxcjk1013), iio:device1 (kxcjk1013): udev does not state which"))
        #expect(finding.detail?.contains("uses iio:device0, which is a guess") == true)
        let rule = #"'SUBSYSTEM=="iio", KERNELS=="HID-SENSOR-200073.2.auto", ENV{ACCEL_LOCATION}="base"'"#
        #expect(finding.fix?.command.contains(rule) == true)
    }

    @Test func `the rule about equal sensors is for the one that the daemon uses`() throws {
        let other = twins().with { $0.daemon.sensors[0].id = "iio:device1" }
        #expect(try #require(other.fault("devices")?.fix?.command).contains("HID-SENSOR-200073.9.auto"))
        // Two channels of one device.
        let same = twins { $0.path = "/sys/devices/pci0000:00/0000:00:12.0/HID-SENSOR-200073.2.auto/iio:device1" }
            .with { $0.accelerometers[0].path = "/sys/devices/x/HID-SENSOR-200073.2.auto/iio:device0" }
        #expect(try #require(same.fault("devices")?.fix?.command).contains(#"KERNEL=="iio:device0", ENV"#))
    }

    @Test func `a stated location of one of two sensors, or a request, is no guess`() {
        for location in ["display", "lid", "base"] {
            #expect(twins { $0.set("ACCEL_LOCATION", location) }.fault("devices") == nil)
        }
        #expect(twins().with { $0.daemon.status = .init(source: "iio:accel_3d") }.fault("devices") == nil)
        let both = twins { $0.set("ACCEL_LOCATION", "display") }
            .withDevice { $0.set("ACCEL_LOCATION", "lid") }
        #expect(both.fault("devices") != nil)
    }

    @Test func `of several rejected sensors the remedy is for the one that is no camera, by its path`() throws {
        let names = [("2-1", true), ("1-3", false)]
        var machine = twins()
        for (index, (name, hasVideo)) in names.enumerated() {
            machine.accelerometers[index].attributes.parents = [
                ParentDevice(name: name, removable: "unknown", isUSB: true, hasVideo: hasVideo)
            ]
        }
        let finding = try #require(machine.faults("devices").last)
        #expect(finding.level == .problem)
        let title = "the likeliest of 2 accelerometers, iio:device1 (kxcjk1013), is not used: on the USB device 1-3"
        #expect(finding.summary.hasPrefix(title))
        let rule = #"'SUBSYSTEM=="iio", KERNELS=="HID-SENSOR-200073.9.auto", ENV{ACCEL_LOCATION}="display"'"#
        #expect(finding.fix?.command.contains(rule) == true)
        // A name that no other one has needs no path.
        machine.accelerometers[1].attributes.contents["name"] = .text("accel_3d")
        #expect(machine.faults("devices").last?.fix?.command.contains(#"ATTR{name}=="accel_3d""#) == true)
    }

    @Test func `a requested sensor is reported as used, with the reason why it needs a request`() {
        let removable = good.withDevice {
            $0.attributes.parents = [ParentDevice(name: "2-1", removable: "removable", isUSB: true)]
        }.with { $0.daemon.status = .init(source: "iio:accel_3d") }
        let finding = Examination(removable).findings.first { $0.check == "devices" }
        #expect(finding?.level == .ok && finding?.detail == "on the removable device 2-1")
        #expect(finding?.summary.hasSuffix("is an accelerometer, used on request") == true)
        let input = good.with {
            $0.accelerometers = []
            $0.inputAccelerometers = [.input("event9", named: "pad", bus: "0003")]
            $0.daemon.sensors[0].id = "event9"
            $0.daemon.status = .init(source: "evdev:event9")
        }
        #expect(input.faults("devices") == [])
        let other = input.with { $0.daemon.sensors[0].id = "event8" }
        #expect(other.fault("devices")?.summary.hasSuffix("is not used as an accelerometer") == true)
    }

    @Test func `a sensor with two axes is a problem only without another sensor`() {
        let flat = good.withDevice { $0.files = $0.files.filter { !$0.key.contains("_z_") } }
        #expect(flat.fault("devices")?.level == .problem)
        #expect(flat.fault("devices")?.summary.contains("does not measure z") == true)
        let both = flat.with { $0.accelerometers.append(.good) }
        #expect(both.fault("devices")?.level == .note)
    }

    @Test func `a device's name stays within the quotes of a command`() {
        let device = good.withDevice {
            $0.set("ACCEL_LOCATION", "base")
            $0.attributes.contents["name"] = .text("x\"'; rm -rf /; '")
        }
        let fixes = Examination(device).findings.compactMap(\.fix?.command)
        #expect(fixes.contains { $0.contains("ATTR{name}==\"x??? rm -rf ?? ?\", ENV") })
    }
}

extension DeviceFacts {
    fileprivate static func input(_ id: String, named name: String, bus: String) -> DeviceFacts {
        let input = InputAttributes(name: name, axes: "7", keys: "0", bus: bus)
        return DeviceFacts(id: id, attributes: SensorAttributes(input: input))
    }
}
