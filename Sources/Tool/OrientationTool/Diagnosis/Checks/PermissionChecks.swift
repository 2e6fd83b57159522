// SPDX-License-Identifier: Apache-2.0

extension Check {
    /// Checks the permissions of the daemon's user for each accelerometer.
    static let permissions = Check("permissions") { facts in
        guard let account = facts.daemonAccount else {
            let summary = "there is no user orientationd"
            return facts.service.unit("orientationd.service") == nil
                ? [.note(summary, "The service is not installed; your own daemon does not need the user")]
                : [.problem(summary, "The service cannot start without it", fix: .createAccounts)]
        }
        return facts.usable.flatMap { device in
            [reading(device, account, facts), capture(device, account, facts)].compactMap { $0 }
        }
    }

    /// Checks read access for polling: granted to all users on most systems.
    private static func reading(_ device: DeviceFacts, _ account: Account, _ facts: MachineFacts) -> Finding? {
        let names = DeviceFacts.axes.map { "in_accel_\($0)_raw" }
        let files = names.compactMap { name in device.files[name].map { (name, $0) } }
        if files.isEmpty { return nil }
        guard let (name, file) = files.first(where: { !account.mayRead($0.1) }) else {
            return .ok("\(account.title) can read \(device.title)")
        }
        return facts.serious(
            "\(account.title) cannot read \(name) of \(device.title): \(file.description)",
            "The daemon gets no readings from this sensor",
            fix: Fix(.permitReading, "sudo chmod a+r \(device.folder)/in_accel_*"))
    }

    /// Checks access to the buffer, which the udev rule grants.
    private static func capture(_ device: DeviceFacts, _ account: Account, _ facts: MachineFacts) -> Finding? {
        guard device.hasBuffer else { return nil }
        let node = device.node.map { ("/dev/\(device.id)", $0, account.mayRead($0)) }
        let enable = device.files["buffer/enable"].map { ("buffer/enable", $0, account.mayWrite($0)) }
        guard let (file, access, _) = [node, enable].compactMap({ $0 }).first(where: { !$0.2 }) else {
            return .ok("\(account.title) can capture from \(device.title)")
        }
        let detail = "The daemon polls the sensor, which works but uses more power"
        let summary = "\(account.title) cannot use \(file) of \(device.title): \(access.description)"
        // The rule does not apply to a user's own daemon.
        guard facts.daemon.isSystems else { return .note(summary, detail) }
        return facts.serious(summary, detail, fix: facts.udev.rule == nil ? nil : .applyRules())
    }

    /// The two groups: `orientationd` for the service only, `orientation` for users.
    static let groups = Check("groups") { facts in
        guard facts.service.unit("orientationd.service") != nil else { return [] }
        let accounts = facts.accounts
        guard let users = accounts.group("orientation") else {
            return [
                .note(
                    "there is no group orientation", "Only root can read motion data and the daemon's status",
                    fix: .createAccounts)
            ]
        }
        let members = accounts.users.compactMap { user -> Finding? in
            guard user.name != "orientationd", let service = accounts.group("orientationd"),
                let groups = accounts.account(user.name)?.groups, groups.contains(service)
            else { return nil }
            return member(user.name, isPrimary: user.group == service, isUser: groups.contains(users))
        }
        return members.isEmpty ? [.ok("only the service is in the group orientationd")] : members
    }

    private static func member(_ name: String, isPrimary: Bool, isUser: Bool) -> Finding {
        let summary = "the user \(name) is in the group orientationd, which is for the service only"
        let detail = "Programs of \(name) can open the sensors' device nodes directly, bypassing the daemon"
        if isPrimary { return .note("\(summary), as their primary group", "\(detail): give the user another one") }
        let leave = "sudo gpasswd -d \(name) orientationd"
        if isUser { return .note(summary, detail, fix: Fix(.changeGroups, leave)) }
        return .note(
            summary, "\(detail), but the daemon denies them motion data and the status",
            fix: Fix(.changeGroups, "sudo gpasswd -a \(name) orientation && \(leave)"))
    }
}
