// SPDX-License-Identifier: Apache-2.0

extension Check {
    /// Whether the daemon's user may do with each accelerometer what it has to.
    static let permissions = Check("permissions") { facts in
        guard let account = facts.daemonAccount else {
            return [
                facts.service.unit("orientationd.service") == nil
                    ? .note(
                        "there is no user orientationd", "The service is not installed; a daemon of your own needs none"
                    )
                    : .problem(
                        "there is no user orientationd", "The service cannot start without it",
                        mend: "sudo systemd-sysusers")
            ]
        }
        return facts.usable.flatMap { device in
            [reading(device, account, facts), capture(device, account, facts)].compactMap { $0 }
        }
    }

    /// Single readings: open to everybody on most systems.
    private static func reading(_ device: DeviceFacts, _ account: Account, _ facts: MachineFacts) -> Finding? {
        let names = DeviceFacts.axes.map { "in_accel_\($0)_raw" }
        let files = names.compactMap { name in device.attributes[name].map { (name, $0) } }
        if files.isEmpty { return nil }
        guard let (name, file) = files.first(where: { !account.mayRead($0.1.access) }) else {
            return .ok("\(account.title) may read \(device.title)")
        }
        return facts.serious(
            "\(account.title) may not read \(name) of \(device.title): \(file.access.description)",
            "The daemon gets no readings from this sensor",
            mend: "sudo chmod a+r \(device.folder)/in_accel_*")
    }

    /// The buffer: the udev rule opens it.
    private static func capture(_ device: DeviceFacts, _ account: Account, _ facts: MachineFacts) -> Finding? {
        guard device.hasBuffer else { return nil }
        let node = device.node.map { ("/dev/\(device.id)", $0, account.mayRead($0)) }
        let enable = device.attributes["buffer/enable"].map {
            ("buffer/enable", $0.access, account.mayWrite($0.access))
        }
        guard let (file, access, _) = [node, enable].compactMap({ $0 }).first(where: { !$0.2 }) else {
            return .ok("\(account.title) may capture from \(device.title)")
        }
        let meaning =
            "The daemon asks the sensor again and again, in place of being told: that works, and takes more power"
        let seen = "\(account.title) may not use \(file) of \(device.title): \(access.description)"
        // Somebody's own daemon is not what the rule is for.
        guard facts.daemon.isSystems else { return .note(seen, meaning) }
        return facts.serious(seen, meaning, mend: facts.udev.rule == nil ? nil : Mend.applyRules)
    }
}
