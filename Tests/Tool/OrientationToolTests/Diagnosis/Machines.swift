// SPDX-License-Identifier: Apache-2.0

import OrientationClientCore
import OrientationModel
import OrientationWire

@testable import OrientationTool

/// Facts of a good machine, and changes to them.
extension MachineFacts {
    /// A tablet without faults.
    static let good: MachineFacts = {
        var facts = MachineFacts()
        facts.kernel.release = "6.12.1"
        facts.kernel.hasBus = true
        facts.kernel.hasModules = true
        facts.kernel.offersBus = true
        facts.accelerometers = [.good]
        facts.udev.isRunning = true
        facts.udev.rule = "/usr/lib/udev/rules.d/70-orientationd.rules"
        facts.daemonAccount = Account(name: "orientationd", user: 990, groups: [990])
        facts.accounts = AccountDatabase(passwd: "", group: "orientation:x:991:\n")
        facts.service = ServiceFacts(systemctl: units())
        facts.daemon.socket = OrientationInterface.systemSocket
        facts.daemon.version = "1.0"
        facts.daemon.ownVersion = "1.0"
        facts.daemon.state = OrientationState(orientation: .portrait, sequence: 2, instance: "one")
        facts.daemon.sensors = [
            SensorDescription(
                id: "iio:device0", name: "kxcjk1013", isChosen: true, why: "the first in the display",
                natural: .portrait, naturalSource: "display card0-DSI-1, 720x1440")
        ]
        facts.daemon.status = .init(source: "auto")
        return facts
    }()

    /// The output of `systemctl show` for the two units.
    static func units(socket: [String: String] = [:], service: [String: String] = [:]) -> String {
        let common = [
            "LoadState": "loaded", "ActiveState": "active", "SubState": "running", "UnitFileState": "enabled",
            "Result": "success",
        ]
        let units = [
            common.merging(["Id": "orientationd.socket", "NRestarts": ""]) { $1 }.merging(socket) { $1 },
            common.merging([
                "Id": "orientationd.service", "NRestarts": "0", "User": "orientationd",
                "ExecStart": "{ path=/usr/sbin/orientationd ; argv[]=/usr/sbin/orientationd ; ignore_errors=no }",
            ]) { $1 }.merging(service) { $1 },
        ]
        return units.map { unit in unit.sorted { $0.key < $1.key }.map { "\($0)=\($1)\n" }.joined() }
            .joined(separator: "\n")
    }

    /// Returns the machine with a change.
    func with(_ change: (inout MachineFacts) -> Void) -> MachineFacts {
        var facts = self
        change(&facts)
        return facts
    }

    /// Returns the machine with a change of its accelerometer.
    func withDevice(_ change: (inout DeviceFacts) -> Void) -> MachineFacts {
        with { change(&$0.accelerometers[0]) }
    }

    /// The machine with a daemon that does not reply.
    var withoutDaemon: MachineFacts {
        with {
            $0.daemon.failure = .notConnected(
                reason: "\($0.daemon.socket): cannot connect: no service is listening")
            $0.daemon.obstacle = .refused
            $0.daemon.version = nil
            $0.daemon.state = nil
            $0.daemon.sensors = []
            $0.daemon.status = nil
        }
    }
}

extension DeviceFacts {
    /// A chip with a buffer, at rest.
    static let good: DeviceFacts = {
        let group = FileAccess(mode: 0o664, user: 0, group: 990, groupName: "orientationd")
        let readable = FileAccess(mode: 0o644, user: 0, group: 0)
        var device = DeviceFacts(
            id: "iio:device0",
            attributes: SensorAttributes(
                driver: "kxcjk1013",
                contents: [
                    "name": .text("kxcjk1013"), "in_accel_scale": .text("0.009582"), "buffer/enable": .text("0"),
                ]), files: ["name": readable, "in_accel_scale": readable, "buffer/enable": group],
            udev: UdevRecord(
                uevent: "DEVTYPE=iio_device",
                database: "I:12\nE:ACCEL_MOUNT_MATRIX=-1,0,0;0,-1,0;0,0,-1\nG:orientationd\nQ:orientationd\nV:1\n"))
        device.module = "kxcjk_1013"
        for axis in DeviceFacts.axes {
            device.files["in_accel_\(axis)_raw"] = readable
            device.files["scan_elements/in_accel_\(axis)_en"] = group
        }
        device.node = FileAccess(mode: 0o660, user: 0, group: 990, groupName: "orientationd")
        device.readings.vectors = [[0, 1023, 2], [1, 1024, 2]]
        return device
    }()

    mutating func set(_ property: String, _ value: String?) {
        let kept = udev.properties.filter { $0.key != property }.map { "E:\($0.key)=\($0.value)\n" }.joined()
        let tags = udev.tags.map { "G:\($0)\n" }.joined()
        let own = value.map { "E:\(property)=\($0)\n" } ?? ""
        udev = UdevRecord(uevent: "", database: (udev.isProcessed ? "I:1\n" : "") + kept + tags + own)
    }
}

extension MachineFacts {
    /// Returns the problems and notes of a check, or of all checks.
    func faults(_ check: String? = nil) -> [Finding] {
        Examination(self).findings.filter { $0.level != .ok && (check == nil || $0.check == check) }
    }

    /// Returns the only problem or note of a check; nil if there is none or more than one.
    func fault(_ check: String) -> Finding? {
        let found = faults(check)
        return found.count == 1 ? found[0] : nil
    }
}
