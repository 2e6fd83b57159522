// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire
import Testing

@testable import OrientationTool

/// Findings about kernel, devices, drivers, permissions, udev and other programs.
@Suite struct HardwareFindingTests {
    private let good = MachineFacts.good

    // MARK: kernel, devices, drivers

    @Test func `a kernel without its modules after an update needs a reboot`() throws {
        let finding = try #require(
            good.with {
                $0.kernel.hasBus = false
                $0.kernel.hasModules = false
            }.fault("kernel"))
        #expect(finding.level == .problem)
        #expect(finding.summary.contains("6.12.1"))
        #expect(finding.fix == "sudo reboot")
    }

    @Test func `a kernel without industrial I/O is a problem, and one that has not loaded it a note`() throws {
        let without = good.with {
            $0.kernel.hasBus = false
            $0.kernel.offersBus = false
        }
        #expect(without.fault("kernel")?.level == .problem)
        #expect(good.with { $0.kernel.hasBus = false }.fault("kernel")?.level == .note)
    }

    @Test func `no accelerometer is a problem, fixed by loading its driver if there is one`() {
        let none = good.with { $0.accelerometers = [] }
        #expect(none.fault("devices")?.level == .problem)
        #expect(none.fault("devices")?.fix == "orientationd --sensor fake:")
        let waiting = none.with {
            $0.driverless = [.init(name: "i2c-KIOX010A:00", bus: "i2c", modules: ["kxcjk_1013"])]
        }
        #expect(waiting.fault("devices")?.fix == nil)
        #expect(waiting.fault("drivers")?.level == .problem)
        #expect(waiting.fault("drivers")?.fix == "sudo modprobe kxcjk_1013")
    }

    @Test func `an input device that is an accelerometer is used without another one`() {
        let none = good.with {
            $0.accelerometers = []
            $0.inputAccelerometers = [.init(node: "event4", name: "lis3lv02d")]
        }
        #expect(none.fault("devices") == nil)
        let controller = none.with {
            $0.inputAccelerometers[0].traits = SensorTraits(
                SensorAttributes(input: InputAttributes(axes: "7", keys: "0", bus: "0003")))
        }
        let findings = Examination(controller).findings.filter { $0.check == "devices" }
        #expect(findings.map(\.level) == [.note, .problem])
        #expect(findings.first?.summary.contains("event4") == true)
        #expect(
            findings.last?.summary
                == "the only accelerometer, event4 (lis3lv02d), is not used: part of a game controller: on USB or Bluetooth"
        )
        #expect(
            findings.last?.fix?.contains(
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
        #expect(finding.summary.hasPrefix("iio:device0 (kxcjk1013), iio:device1 (kxcjk1013): no statement decides"))
        #expect(finding.detail?.contains("uses iio:device0, which is a guess") == true)
        let rule = #"'SUBSYSTEM=="iio", KERNELS=="HID-SENSOR-200073.2.auto", ENV{ACCEL_LOCATION}="base"'"#
        #expect(finding.fix?.contains(rule) == true)
    }

    @Test func `the rule about equal sensors is for the one that the daemon uses`() throws {
        let other = twins().with { $0.daemon.sensors[0].id = "iio:device1" }
        #expect(try #require(other.fault("devices")?.fix).contains("HID-SENSOR-200073.9.auto"))
        // Two channels of one device.
        let same = twins { $0.path = "/sys/devices/pci0000:00/0000:00:12.0/HID-SENSOR-200073.2.auto/iio:device1" }
            .with { $0.accelerometers[0].path = "/sys/devices/x/HID-SENSOR-200073.2.auto/iio:device0" }
        #expect(try #require(same.fault("devices")?.fix).contains(#"KERNEL=="iio:device0", ENV"#))
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

    @Test func `a removable sensor is a problem only if there is no other one`() throws {
        let camera = { (device: inout DeviceFacts) in
            device.parents = [ParentDevice(name: "2-1", product: "Depth Camera", removable: "removable", isUSB: true)]
        }
        let reason = "on the removable device 2-1 (Depth Camera)"
        let alone = good.withDevice(camera).faults("devices")
        #expect(alone.map(\.level) == [.note, .problem])
        #expect(alone.last?.summary == "the only accelerometer, iio:device0 (kxcjk1013), is not used: \(reason)")
        #expect(alone.last?.fix?.contains(#"ENV{ACCEL_LOCATION}="display""#) == true)
        let beside = try #require(twins(camera).fault("devices"))
        #expect(beside.level == .note && beside.detail == reason)
    }

    @Test func `of several rejected sensors the remedy is for the one that is no camera, by its path`() throws {
        let names = [("2-1", true), ("1-3", false)]
        var machine = twins()
        for (index, (name, hasVideo)) in names.enumerated() {
            machine.accelerometers[index].parents = [
                ParentDevice(name: name, removable: "unknown", isUSB: true, hasVideo: hasVideo)
            ]
        }
        let finding = try #require(machine.faults("devices").last)
        #expect(finding.level == .problem)
        let title = "the likeliest of 2 accelerometers, iio:device1 (kxcjk1013), is not used: on the USB device 1-3"
        #expect(finding.summary.hasPrefix(title))
        let rule = #"'SUBSYSTEM=="iio", KERNELS=="HID-SENSOR-200073.9.auto", ENV{ACCEL_LOCATION}="display"'"#
        #expect(finding.fix?.contains(rule) == true)
        // A name that no other one has needs no path.
        machine.accelerometers[1].attributes["name"]?.text = "accel_3d"
        #expect(machine.faults("devices").last?.fix?.contains(#"ATTR{name}=="accel_3d""#) == true)
    }

    @Test func `a requested sensor is reported as used, with the reason why it needs a request`() {
        let removable = good.withDevice {
            $0.parents = [ParentDevice(name: "2-1", removable: "removable", isUSB: true)]
        }.with { $0.daemon.status = .init(source: "iio:accel_3d") }
        let finding = Examination(removable).findings.first { $0.check == "devices" }
        #expect(finding?.level == .ok && finding?.detail == "on the removable device 2-1")
        #expect(finding?.summary.hasSuffix("is an accelerometer, used on request") == true)
        let input = good.with {
            $0.accelerometers = []
            $0.inputAccelerometers = [
                .init(
                    node: "event9", name: "pad",
                    traits: SensorTraits(SensorAttributes(input: InputAttributes(axes: "7", keys: "0", bus: "0003"))))
            ]
            $0.daemon.sensors[0].id = "event9"
            $0.daemon.status = .init(source: "evdev:event9")
        }
        #expect(input.faults("devices") == [])
        let other = input.with { $0.daemon.sensors[0].id = "event8" }
        #expect(other.fault("devices")?.summary.hasSuffix("is not used as an accelerometer") == true)
    }

    @Test func `the free-fall sensor of a notebook is a problem only if there is no other one`() {
        let chip = { (device: inout DeviceFacts) in
            device.attributes["name"]?.text = "lis3lv02dl_accel"
            device.isInNotebook = true
        }
        #expect(good.withDevice(chip).fault("devices")?.level == .problem)
        #expect(twins(chip).fault("devices") == nil)
    }

    @Test func `a laptop with two accelerometers and no tablet switch is offered one`() throws {
        let laptop = good.with {
            $0.daemon.ambient = AmbientSensorListMessage(
                [
                    AmbientSensorMessage(
                        id: "iio:device0", name: "kxcjk1013", kind: "hinge", isChosen: true, why: "", lastError: nil,
                        isFailing: false)
                ], isServed: false)
        }
        let finding = try #require(laptop.fault("lid"))
        #expect(finding.level == .note)
        #expect(finding.summary.hasPrefix("this laptop has two accelerometers and no tablet switch: "))
        #expect(finding.fix == "sudo systemctl enable --now orientation-tablet-switch")
        let notebook = laptop.with {
            $0.chassis = Chassis(
                line: { $0.hasSuffix("chassis_type") ? "10" : nil },
                keyboardNodes: { [("event3", "/devices/platform")] })
        }
        #expect(notebook.chassis?.laptopReason != nil && notebook.fault("tabletMode") == nil)
        let hinged = laptop.with { $0.accelerometers[0].id = "iio:device1" }
        #expect(hinged.fault("lid")?.summary.contains("a hinge sensor") == true)
        #expect(laptop.with { $0.hasDerivedSwitch = true }.fault("lid") == nil)
        #expect(laptop.with { $0.tabletSwitches = [.init(node: "event5", name: "switch")] }.fault("lid") == nil)
        #expect(laptop.with { $0.daemon.state?.tabletMode = false }.fault("lid") == nil)
        #expect(good.fault("lid") == nil)
    }

    @Test func `a hinge sensor without a driver is named`() throws {
        let finding = try #require(good.with { $0.hasDriverlessHinge = true }.fault("lid"))
        #expect(finding.summary.contains("HID-SENSOR-INT-020b"))
        #expect(finding.detail?.contains("CONFIG_HID_SENSOR_CUSTOM_INTEL_HINGE") == true)
    }

    @Test func `a loaded driver that did not bind is not loaded again`() {
        let device = DriverlessDevice(name: "X", bus: "i2c", modules: ["bmc150"], loaded: ["bmc150"])
        let finding = good.with { $0.driverless = [device] }.fault("drivers")
        #expect(finding?.fix == "sudo dmesg | grep -iE 'bmc150'")
        // Another accelerometer works.
        #expect(finding?.level == .note)
    }

    @Test func `a sensor with two axes is a problem only without another sensor`() {
        let flat = good.withDevice { $0.attributes = $0.attributes.filter { !$0.key.contains("_z_") } }
        #expect(flat.fault("devices")?.level == .problem)
        #expect(flat.fault("devices")?.summary.contains("does not measure z") == true)
        let both = flat.with { $0.accelerometers.append(.good) }
        #expect(both.fault("devices")?.level == .note)
    }

    @Test func `a single sensor in the base is a problem, fixed by its location in udev`() throws {
        let finding = try #require(good.withDevice { $0.set("ACCEL_LOCATION", "base") }.fault("devices"))
        #expect(finding.level == .problem)
        #expect(finding.fix?.contains(#"ENV{ACCEL_LOCATION}="display""#) == true)
        #expect(good.withDevice { $0.attributes["label"] = .init(text: "accel-base") }.fault("devices") == finding)
    }

    @Test(arguments: [
        ("label", "accel-palmrest", "base"), ("label", "accel-camera", "camera"), ("location", "base", "base"),
    ])
    func `a single sensor that the daemon does not choose is a problem`(
        attribute: String, text: String, location: String
    ) {
        let finding = good.withDevice { $0.attributes[attribute] = .init(text: text) }.fault("devices")
        #expect(finding?.level == .problem && finding?.summary.hasSuffix("is located in the \(location)") == true)
    }

    // MARK: permissions, udev

    @Test(arguments: DeviceFacts.axes)
    func `an axis that the daemon's user cannot read is a problem`(axis: String) throws {
        let shut = good.withDevice {
            $0.attributes["in_accel_\(axis)_raw"] = .init(text: nil, access: FileAccess(mode: 0o600, user: 0, group: 0))
        }
        let finding = try #require(shut.fault("permissions"))
        #expect(finding.level == .problem)
        #expect(
            finding.summary
                == "the user orientationd cannot read in_accel_\(axis)_raw of iio:device0 (kxcjk1013): mode 0600, root:root"
        )
        #expect(finding.fix == "sudo chmod a+r /sys/bus/iio/devices/iio:device0/in_accel_*")
    }

    @Test(arguments: ["/dev/iio:device0", "buffer/enable"])
    func `a buffer that the daemon's user cannot use is fixed by the udev rule`(file: String) throws {
        let root = FileAccess(mode: 0o640, user: 0, group: 0)
        let shut = good.withDevice {
            if file == "buffer/enable" { $0.attributes[file]?.access = root } else { $0.node = root }
        }
        let finding = try #require(shut.fault("permissions"))
        #expect(finding.level == .problem)
        #expect(finding.summary.contains("cannot use \(file) of"))
        #expect(finding.fix?.contains("udevadm trigger") == true)
        let own = shut.with { $0.daemon.socket = "/run/user/1000/orientationd.sock" }
        #expect(own.fault("permissions")?.level == .note)
    }

    @Test func `a missing user is a problem for the service, and a note without it`() {
        #expect(good.with { $0.daemonAccount = nil }.fault("permissions")?.fix == "sudo systemd-sysusers")
        let byHand = good.with {
            $0.daemonAccount = nil
            $0.service = ServiceFacts()
        }
        #expect(byHand.fault("permissions")?.level == .note)
    }

    @Test func `users in the service's group are listed, with the commands that change it`() {
        #expect(good.fault("groups") == nil)
        #expect(good.with { $0.groups.hasUserGroup = false }.fault("groups")?.fix == "sudo systemd-sysusers")
        let accounts = AccountDatabase(
            passwd: """
                orientationd:x:990:990::/nonexistent:/usr/sbin/nologin
                jane:x:1000:1000::/home/jane:/bin/sh
                bob:x:1001:990::/home/bob:/bin/sh
                eve:x:1002:1002::/home/eve:/bin/sh
                """, group: "orientationd:x:990:jane\norientation:x:991:bob,eve\n")
        let found = Examination(good.with { $0.groups = GroupFacts(accounts) }).findings.filter { $0.check == "groups" }
        #expect(found.map(\.level) == [.note, .note])
        #expect(
            found.map(\.fix) == [
                "sudo gpasswd -a jane orientation && sudo gpasswd -d jane orientationd", "sudo usermod -g GROUP bob",
            ])
        #expect(found.first?.detail?.contains("denies them motion data") == true)
        let byHand = good.with {
            $0.groups.hasUserGroup = false
            $0.service = ServiceFacts()
        }
        #expect(byHand.fault("groups") == nil)
    }

    @Test func `udev not running, a missing, an empty and a pending rule have different findings`() {
        #expect(good.with { $0.udev.isRunning = false }.fault("udev")?.summary == "udev is not running")
        #expect(good.with { $0.udev.rule = nil }.fault("udev")?.summary == "udev has no rule 70-orientationd.rules")
        #expect(good.with { $0.udev.isRuleMasked = true }.fault("udev")?.fix?.contains("sudo rm") == true)
        let untagged = good.withDevice { $0.udev = UdevRecord(uevent: "", database: "I:1\n") }
        #expect(untagged.fault("udev")?.summary.contains("lacks the tag orientationd") == true)
        let fresh = good.withDevice { $0.udev = UdevRecord(uevent: "") }
        #expect(fresh.fault("udev")?.summary.contains("udev has not run its rules") == true)
    }

    @Test(arguments: [
        ("ACCEL_LOCATION", "screen"), ("ORIENTATIOND_FACE_SIGN", "2"), ("ORIENTATIOND_BUFFER", "yes"),
        ("ORIENTATIOND_CLASSIFIER", "wild"), ("ORIENTATIOND_CLASSIFIER", "calm,edgeMargin=99"),
        ("ACCEL_LOCATION", ""), ("ORIENTATIOND_NATURAL_ORIENTATION", "landscape"),
    ])
    func `an invalid property is a problem that quotes it`(property: String, value: String) throws {
        let finding = try #require(good.withDevice { $0.set(property, value) }.fault("properties"))
        #expect(finding.level == .problem)
        #expect(finding.summary.contains(property))
        #expect(finding.summary.contains("'\(value)'"))
        #expect(finding.fix?.contains("grep -rn \(property)") == true)
    }

    @Test(arguments: [
        ("ORIENTATIOND_FACE_SIGN", "-1"), ("ORIENTATIOND_BUFFER", "0"), ("ORIENTATIOND_BUFFER", "1"),
        ("ORIENTATIOND_NATURAL_ORIENTATION", "portrait"),
    ])
    func `a property that overrides a default is a note`(property: String, value: String) {
        #expect(good.withDevice { $0.set(property, value) }.fault("properties")?.level == .note)
    }

    // MARK: buffer, proxy

    private func captured(by process: ProcessFacts.Process?, isBusy: Bool = false) -> MachineFacts {
        good.withDevice {
            $0.attributes["buffer/enable"]?.text = "1"
            if isBusy {
                $0.readings.vectors = []
                $0.readings.failure = "in_accel_x_raw: Device or resource busy"
                $0.readings.isBusy = true
            }
        }.with { facts in process.map { facts.processes.processes = [$0] } }
    }

    @Test func `a capturing program is named, and is a problem only if the chip cannot be polled`() throws {
        let other = ProcessFacts.Process(
            identifier: 42, name: "iio_readdev", program: "iio_readdev", nodes: ["iio:device0"])
        let beside = try #require(captured(by: other).fault("buffer"))
        #expect(beside.summary == "the program iio_readdev (process 42) captures from iio:device0 (kxcjk1013)")
        #expect(beside.level == .note)
        #expect(beside.fix == "sudo kill 42")
        let silent = captured(by: other, isBusy: true)
        #expect(silent.fault("buffer")?.level == .problem)
        #expect(silent.fault("reading")?.level == .problem)
    }

    @Test func `the daemon's own capture is ok, also if the chip cannot be polled`() {
        let own = ProcessFacts.Process(
            identifier: 7, name: "orientationd", program: "orientationd", nodes: ["iio:device0"])
        #expect(captured(by: own, isBusy: true).faults() == [])
    }

    @Test func `a buffer left enabled and one with an unknown program have different fixes`() {
        #expect(captured(by: nil).fault("buffer")?.level == .problem)
        #expect(captured(by: nil).fault("buffer")?.fix?.contains("echo 0 | sudo tee") == true)
        let unseen = captured(by: nil).with { $0.processes.isComplete = false }
        #expect(unseen.fault("buffer")?.fix == "sudo orientationctl doctor")
    }

    @Test func `a program that has the node open without capturing is a note`() {
        let other = ProcessFacts.Process(identifier: 42, name: "cat", program: "cat", nodes: ["iio:device0"])
        #expect(good.with { $0.processes.processes = [other] }.fault("buffer")?.level == .note)
    }

    @Test func `a process that only calls itself the daemon is not it`() {
        let other = ProcessFacts.Process(
            identifier: 42, name: "orientationd", program: nil, arguments: ["orientationd", "--dbus"],
            nodes: ["iio:device0"])
        let found = captured(by: other, isBusy: true)
        #expect(
            found.fault("buffer")?.summary
                == "a process that calls itself 'orientationd' (process 42) captures from iio:device0 (kxcjk1013)")
        #expect(found.fault("reading")?.level == .problem)
        let proxy = ProcessFacts.Process(identifier: 9, name: "iio-sensor-prox", program: nil)
        #expect(good.with { $0.processes.processes = [proxy] }.fault("proxy") == nil)
    }

    @Test func `a device's name stays within the quotes of a command`() {
        let device = good.withDevice {
            $0.set("ACCEL_LOCATION", "base")
            $0.attributes["name"]?.text = "x\"'; rm -rf /; '"
        }
        let fixes = Examination(device).findings.compactMap(\.fix)
        #expect(fixes.contains { $0.contains("ATTR{name}==\"x??? rm -rf ?? ?\", ENV") })
    }

    @Test func `iio-sensor-proxy is found by its process and by its unit`() {
        let byProcess = good.with {
            $0.processes.processes = [.init(identifier: 9, name: "iio-sensor-prox", program: "iio-sensor-proxy")]
        }
        #expect(byProcess.fault("proxy")?.level == .note)
        let byUnit = good.with { $0.service.isProxyRunning = true }
        #expect(byUnit.fault("proxy")?.detail?.contains("install the package orientationd-sensorproxy") == true)
    }

    @Test func `a daemon that serves desktops is ok, and a problem while iio-sensor-proxy runs`() {
        let command = "{ path=/x ; argv[]=/usr/sbin/orientationd --dbus ; ignore_errors=no }"
        let serving = good.with {
            $0.service = ServiceFacts(systemctl: MachineFacts.units(service: ["ExecStart": command]))
        }
        let finding = Examination(serving).findings.first { $0.check == "proxy" }
        #expect(finding?.level == .ok)
        #expect(finding?.summary == "the daemon serves desktops over D-Bus, instead of iio-sensor-proxy")
        let both = serving.with { $0.service.isProxyRunning = true }.fault("proxy")
        #expect(both?.level == .problem)
        #expect(both?.fix == "sudo systemctl mask --now iio-sensor-proxy.service")
    }

    @Test func `a drop-in that removes --dbus from the package's command is a problem`() {
        let overridden = good.with {
            $0.service = ServiceFacts(
                systemctl: MachineFacts.units(service: [
                    "DropInPaths":
                        "/usr/lib/systemd/system/orientationd.service.d/10-sensorproxy.conf "
                        + "/etc/systemd/system/orientationd.service.d/override.conf"
                ]))
        }
        let finding = overridden.fault("proxy")
        #expect(finding?.level == .problem)
        #expect(finding?.detail?.contains("add --dbus there") == true)
    }

    private func sensor(
        _ name: String, _ kind: String, isChosen: Bool = true, why: String = "", lastError: String? = nil
    ) -> AmbientSensorMessage {
        AmbientSensorMessage(
            id: "iio:device1", name: name, kind: kind, isChosen: isChosen, why: why, lastError: lastError,
            isFailing: lastError != nil)
    }

    @Test func `a chosen ambient sensor that fails is a problem with the failure`() {
        let failing = good.with {
            $0.daemon.ambient = AmbientSensorListMessage(
                [sensor("als", "light", lastError: "cannot read in_illuminance_raw: Input/output error")],
                isServed: true)
        }.fault("ambient")
        #expect(failing?.level == .problem)
        #expect(
            failing?.summary
                == "the light sensor iio:device1 (als) fails: cannot read in_illuminance_raw: Input/output error")
        #expect(failing?.fix == "journalctl -b -k")
    }

    @Test func `ambient sensors that the daemon cannot list are a problem of the sensor, not of the daemon`() {
        let unlisted = good.with {
            $0.daemon.ambientFailure = "a light, proximity or compass sensor: timed out: no response for 5 s"
        }
        let finding = unlisted.fault("ambient")
        #expect(finding?.level == .problem)
        #expect(
            finding?.summary == "the daemon cannot list the ambient sensors: "
                + "a light, proximity or compass sensor: timed out: no response for 5 s")
        #expect(finding?.detail?.contains("rotation is not affected") == true)
        #expect(finding?.fix == "journalctl -b -k")
        #expect(unlisted.fault("sensor") == nil)
    }

    @Test func `ambient sensors that the daemon uses are ok, and one that it cannot use is a note with the reason`() {
        let sensors = [
            sensor("als", "light", why: "in_illuminance_raw, every 0.8 s"),
            sensor("stk3310", "proximity", isChosen: false, why: "the level is unknown"),
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
    }
}
