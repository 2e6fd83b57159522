// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import OrientationModel
import Testing

/// What is found from the kernel up to what a sensor reads.
@Suite struct HardwareFindingTests {
    private let good = MachineFacts.good

    // MARK: kernel, devices, drivers

    @Test func `a kernel whose modules were replaced by an update has to be started anew`() throws {
        let finding = try #require(
            good.but {
                $0.kernel.hasBus = false
                $0.kernel.hasModules = false
            }.trouble("kernel"))
        #expect(finding.level == .problem)
        #expect(finding.seen.contains("6.12.1"))
        #expect(finding.mend == "sudo reboot")
    }

    @Test func `a kernel without industrial I/O is told from one that has not loaded it`() throws {
        let without = good.but {
            $0.kernel.hasBus = false
            $0.kernel.offersBus = false
        }
        #expect(without.trouble("kernel")?.level == .problem)
        #expect(good.but { $0.kernel.hasBus = false }.trouble("kernel")?.level == .note)
    }

    @Test func `no accelerometer is a problem, whose mend is the driver where there is one to load`() {
        let none = good.but { $0.accelerometers = [] }
        #expect(none.trouble("devices")?.level == .problem)
        #expect(none.trouble("devices")?.mend == "orientationd --sensor fake:")
        let waiting = none.but {
            $0.driverless = [.init(name: "i2c-KIOX010A:00", bus: "i2c", modules: ["kxcjk_1013"])]
        }
        #expect(waiting.trouble("devices")?.mend == nil)
        #expect(waiting.trouble("drivers")?.level == .problem)
        #expect(waiting.trouble("drivers")?.mend == "sudo modprobe kxcjk_1013")
    }

    @Test func `a driver that is loaded and did not take its device is not to be loaded again`() {
        let device = DriverlessDevice(name: "X", bus: "i2c", modules: ["bmc150"], loaded: ["bmc150"])
        let finding = good.but { $0.driverless = [device] }.trouble("drivers")
        #expect(finding?.mend == "sudo dmesg | grep -iE 'bmc150'")
        // There is an accelerometer that works.
        #expect(finding?.level == .note)
    }

    @Test func `a sensor of two axes is not used, and a problem only where there is no other`() {
        let flat = good.butDevice { $0.attributes = $0.attributes.filter { !$0.key.contains("_z_") } }
        #expect(flat.trouble("devices")?.level == .problem)
        #expect(flat.trouble("devices")?.seen.contains("measures no z") == true)
        let both = flat.but { $0.accelerometers.append(.good) }
        #expect(both.trouble("devices")?.level == .note)
    }

    @Test func `a lonely sensor in the base is not used, and the mend tells udev where it sits`() throws {
        let finding = try #require(good.butDevice { $0.set("ACCEL_LOCATION", "base") }.trouble("devices"))
        #expect(finding.level == .problem)
        #expect(finding.mend?.contains(#"ENV{ACCEL_LOCATION}="display""#) == true)
        #expect(good.butDevice { $0.attributes["label"] = .init(text: "accel-base") }.trouble("devices") == finding)
    }

    // MARK: permissions, udev

    @Test(arguments: DeviceFacts.axes)
    func `a file that the daemon's user may not read is a problem, whoever looks`(axis: String) throws {
        let shut = good.butDevice {
            $0.attributes["in_accel_\(axis)_raw"] = .init(text: nil, access: FileAccess(mode: 0o600, user: 0, group: 0))
        }
        let finding = try #require(shut.trouble("permissions"))
        #expect(finding.level == .problem)
        #expect(
            finding.seen
                == "the user orientationd may not read in_accel_\(axis)_raw of iio:device0 (kxcjk1013): mode 0600, root:root"
        )
        #expect(finding.mend == "sudo chmod a+r /sys/bus/iio/devices/iio:device0/in_accel_*")
    }

    @Test(arguments: ["/dev/iio:device0", "buffer/enable"])
    func `a buffer that the daemon's user may not use has the rule as its mend`(file: String) throws {
        let root = FileAccess(mode: 0o640, user: 0, group: 0)
        let shut = good.butDevice {
            if file == "buffer/enable" { $0.attributes[file]?.access = root } else { $0.node = root }
        }
        let finding = try #require(shut.trouble("permissions"))
        #expect(finding.level == .problem)
        #expect(finding.seen.contains("may not use \(file) of"))
        #expect(finding.mend?.contains("udevadm trigger") == true)
        let own = shut.but { $0.daemon.socket = "/run/user/1000/orientationd.sock" }
        #expect(own.trouble("permissions")?.level == .note)
    }

    @Test func `a missing user is a problem for the service, and for nobody else`() {
        #expect(good.but { $0.daemonAccount = nil }.trouble("permissions")?.mend == "sudo systemd-sysusers")
        let byHand = good.but {
            $0.daemonAccount = nil
            $0.service = ServiceFacts()
        }
        #expect(byHand.trouble("permissions")?.level == .note)
    }

    @Test func `udev that does not run, a rule that is missing or empty, and one that has not run are told apart`() {
        #expect(good.but { $0.udev.isRunning = false }.trouble("udev")?.seen == "udev does not run")
        #expect(good.but { $0.udev.rule = nil }.trouble("udev")?.seen == "udev has no rule 70-orientationd.rules")
        #expect(good.but { $0.udev.isRuleMasked = true }.trouble("udev")?.mend?.contains("sudo rm") == true)
        let untagged = good.butDevice { $0.udev = UdevRecord(uevent: "", database: "I:1\n") }
        #expect(untagged.trouble("udev")?.seen.contains("lacks the tag orientationd") == true)
        let fresh = good.butDevice { $0.udev = UdevRecord(uevent: "") }
        #expect(fresh.trouble("udev")?.seen.contains("udev has not run its rules") == true)
    }

    @Test(arguments: [
        ("ACCEL_LOCATION", "screen"), ("ORIENTATIOND_FACE_SIGN", "2"), ("ORIENTATIOND_BUFFER", "yes"),
        ("ORIENTATIOND_CLASSIFIER", "wild"), ("ORIENTATIOND_CLASSIFIER", "calm,edgeMargin=99"),
        ("ACCEL_LOCATION", ""),
    ])
    func `a property with nonsense in it is a problem that quotes it`(property: String, value: String) throws {
        let finding = try #require(good.butDevice { $0.set(property, value) }.trouble("properties"))
        #expect(finding.level == .problem)
        #expect(finding.seen.contains(property))
        #expect(finding.seen.contains("'\(value)'"))
        #expect(finding.mend?.contains("grep -rn \(property)") == true)
    }

    @Test(arguments: [("ORIENTATIOND_FACE_SIGN", "-1"), ("ORIENTATIOND_BUFFER", "0"), ("ORIENTATIOND_BUFFER", "1")])
    func `a property that overrules something is a note`(property: String, value: String) {
        #expect(good.butDevice { $0.set(property, value) }.trouble("properties")?.level == .note)
    }

    // MARK: who else is there

    private func captured(by process: ProcessFacts.Process?, isBusy: Bool = false) -> MachineFacts {
        good.butDevice {
            $0.attributes["buffer/enable"]?.text = "1"
            if isBusy {
                $0.readings.vectors = []
                $0.readings.failure = "in_accel_x_raw: Device or resource busy"
                $0.readings.isBusy = true
            }
        }.but { facts in process.map { facts.processes.processes = [$0] } }
    }

    @Test func `whoever captures is named, and is a problem only where the chip is silent meanwhile`() throws {
        let other = ProcessFacts.Process(identifier: 42, name: "iio_readdev", nodes: ["iio:device0"])
        let beside = try #require(captured(by: other).trouble("buffer"))
        #expect(beside.seen == "the program iio_readdev (process 42) captures from iio:device0 (kxcjk1013)")
        #expect(beside.level == .note)
        #expect(beside.mend == "sudo kill 42")
        let silent = captured(by: other, isBusy: true)
        #expect(silent.trouble("buffer")?.level == .problem)
        #expect(silent.trouble("reading")?.level == .problem)
    }

    @Test func `the daemon's own capture is in order, also where the chip gives nothing else meanwhile`() {
        let own = ProcessFacts.Process(identifier: 7, name: "orientationd", nodes: ["iio:device0"])
        #expect(captured(by: own, isBusy: true).troubles() == [])
    }

    @Test func `a buffer that a killed program left running is told from one whose program cannot be seen`() {
        #expect(captured(by: nil).trouble("buffer")?.level == .problem)
        #expect(captured(by: nil).trouble("buffer")?.mend?.contains("echo 0 | sudo tee") == true)
        let unseen = captured(by: nil).but { $0.processes.isComplete = false }
        #expect(unseen.trouble("buffer")?.mend == "sudo orientationctl doctor")
    }

    @Test func `somebody who has the node open and captures nothing is a note`() {
        let other = ProcessFacts.Process(identifier: 42, name: "cat", nodes: ["iio:device0"])
        #expect(good.but { $0.processes.processes = [other] }.trouble("buffer")?.level == .note)
    }

    @Test func `iio-sensor-proxy is found by its process and by its unit`() {
        let byProcess = good.but { $0.processes.processes = [.init(identifier: 9, name: "iio-sensor-prox")] }
        #expect(byProcess.trouble("proxy")?.level == .note)
        let byUnit = good.but { $0.service.isProxyRunning = true }
        // To mask it alone would leave desktops with nobody to ask.
        #expect(byUnit.trouble("proxy")?.mend == "sudo orientationd-desktops on")
    }

    @Test func `a daemon that serves desktops is known, and beside iio-sensor-proxy it is a problem`() {
        let command = "{ path=/x ; argv[]=/usr/sbin/orientationd --dbus ; ignore_errors=no }"
        let serving = good.but {
            $0.service = ServiceFacts(systemctl: MachineFacts.units(service: ["ExecStart": command]))
        }
        let finding = Examination(serving).findings.first { $0.check == "proxy" }
        #expect(finding?.level == .ok)
        #expect(finding?.seen == "the daemon serves desktops over D-Bus, in the place of iio-sensor-proxy")
        let both = serving.but { $0.service.isProxyRunning = true }.trouble("proxy")
        #expect(both?.level == .problem)
        #expect(both?.mend == "sudo orientationd-desktops on")
    }
}
