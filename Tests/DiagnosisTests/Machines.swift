// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import OrientationModel

/// Machines to be examined: a good one, and what spoils it.
extension MachineFacts {
    /// A tablet on which everything is as it should be.
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
        facts.service = ServiceFacts(systemctl: units())
        facts.daemon.socket = DaemonFacts.systemSocket
        facts.daemon.isSocketThere = true
        facts.daemon.version = "1.0"
        facts.daemon.ownVersion = "1.0"
        facts.daemon.state = OrientationState(orientation: .portrait, sequence: 2, instance: "one")
        facts.daemon.sensors = [
            SensorDescription(id: "iio:device0", name: "kxcjk1013", isChosen: true, why: "the first in the display")
        ]
        facts.daemon.status = .init(source: "auto")
        return facts
    }()

    /// What `systemctl show` prints of the two units.
    static func units(
        socket: [String: String] = [:], service: [String: String] = [:]
    ) -> String {
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

    /// The same machine, changed.
    func but(_ change: (inout MachineFacts) -> Void) -> MachineFacts {
        var facts = self
        change(&facts)
        return facts
    }

    /// The same machine with another accelerometer.
    func butDevice(_ change: (inout DeviceFacts) -> Void) -> MachineFacts {
        but { change(&$0.accelerometers[0]) }
    }

    /// The same machine, whose daemon does not answer.
    var withoutDaemon: MachineFacts {
        but {
            $0.daemon.failure = "Connection refused"
            $0.daemon.version = nil
            $0.daemon.state = nil
            $0.daemon.sensors = []
            $0.daemon.status = nil
        }
    }
}

extension DeviceFacts {
    /// A chip with a buffer, which lies still.
    static let good: DeviceFacts = {
        let group = FileAccess(mode: 0o664, user: 0, group: 990, groupName: "orientationd")
        var device = DeviceFacts(
            id: "iio:device0", driver: "kxcjk1013",
            attributes: [
                "name": .init(text: "kxcjk1013"), "in_accel_scale": .init(text: "0.009582"),
                "buffer/enable": .init(text: "0", access: group),
            ],
            udev: UdevRecord(
                uevent: "DEVTYPE=iio_device",
                database: "I:12\nE:ACCEL_MOUNT_MATRIX=-1,0,0;0,-1,0;0,0,-1\nG:orientationd\nQ:orientationd\nV:1\n"))
        device.module = "kxcjk_1013"
        for axis in DeviceFacts.axes {
            device.attributes["in_accel_\(axis)_raw"] = .init(text: nil)
            device.attributes["scan_elements/in_accel_\(axis)_en"] = .init(text: "0", access: group)
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
    /// What a check finds, without what is in order.
    func troubles(_ check: String? = nil) -> [Finding] {
        Examination(self).findings.filter { $0.level != .ok && (check == nil || $0.check == check) }
    }

    /// The one finding of a check that is not in order; nil where there is none, or more.
    func trouble(_ check: String) -> Finding? {
        let found = troubles(check)
        return found.count == 1 ? found[0] : nil
    }
}
