// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Gathers the facts for an examination.
struct FactsReader {
    let root: SystemRoot
    let daemon: DaemonReader
    let accounts: AccountDatabase
    let services: ServiceReader

    init(root: SystemRoot, daemon: DaemonReader) {
        self.root = root
        self.daemon = daemon
        services = ServiceReader(root: root)
        accounts = AccountDatabase(passwd: root.text("/etc/passwd") ?? "", group: root.text("/etc/group") ?? "")
    }

    func gather() async throws -> MachineFacts {
        var facts = MachineFacts()
        let kernel = KernelReader(root: root, release: Self.kernelRelease)
        facts.kernel = kernel.kernel()
        facts.driverless = kernel.driverless()
        (facts.hubs, facts.sensorCore) = (kernel.hubs(), kernel.sensorCore())
        facts.hasReadOnlySettings = CalibrationFile(root).isReadOnly
        facts.tabletSwitches = kernel.tabletSwitches()
        facts.chassis = kernel.chassis()
        facts.hasDerivedSwitch = kernel.hasDerivedSwitch
        facts.hasDriverlessHinge = !kernel.driverlessHinges.isEmpty
        facts.inputAccelerometers = kernel.inputAccelerometers()
        facts.udev = kernel.udev()
        facts.processes = processes.processes()
        var devices = DeviceReader(root: root, accounts: accounts)
        // The files of a directory tree do not change.
        if !root.prefix.isEmpty { devices.pause = 0 }
        facts.accelerometers = devices.accelerometers()
        PropertyFiles(root).find(in: &facts.accelerometers)
        facts.caller = caller
        facts.accounts = accounts
        facts.service = services.service()
        facts.initSystem = facts.service.failure == nil ? .systemd : root.initSystem
        facts.warnings = services.warnings()
        // After the devices: the daemon starts its sensor for a request, which would be reported as captured.
        facts.daemon = try await daemon.read()
        if root.prefix.isEmpty { (facts.display, facts.autostart) = (SessionDisplay.facts(), .current) }
        if facts.daemon.isSystems { facts.daemon.socketAccess = SystemRoot.this.access(of: daemon.socket, accounts) }
        facts.daemonAccount = daemonAccount(facts)
        facts.unread = root.unread.first
        return facts
    }

    private var processes: ProcessReader {
        // A user's own daemon runs as the owner of its socket.
        let owner = SystemRoot.this.status(daemon.socket)?.st_uid
        return ProcessReader(root: root, trusted: Set([0, geteuid()] + [owner].compactMap { $0 }))
    }

    private var caller: Account {
        let user = geteuid()
        var groups = [gid_t](repeating: 0, count: Int(max(getgroups(0, nil), 0)))
        let count = getgroups(Int32(groups.count), &groups)
        return Account(
            name: accounts.name(ofUser: user) ?? "user \(user)", user: user,
            groups: Set(groups.prefix(Int(max(count, 0))) + [getegid()]))
    }

    /// Returns the account of the daemon. If none runs: the user of its unit, or the caller for a user's own socket.
    private func daemonAccount(_ facts: MachineFacts) -> Account? {
        guard facts.daemon.isSystems else { return facts.caller }
        if let process = facts.processes.running("orientationd").first,
            let account = processes.account(of: process, accounts)
        {
            return account
        }
        let user = facts.service.unit("orientationd.service")?[.user] ?? ""
        return accounts.account(user.isEmpty ? "orientationd" : user)
    }

    static var kernelRelease: String {
        var names = utsname()
        uname(&names)
        return withUnsafeBytes(of: names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// Queries systemd for the units and the log of the service.
struct ServiceReader {
    let root: SystemRoot

    /// The number of log lines in a report.
    private static let logLines = 200

    func service() -> ServiceFacts {
        let properties = ServiceFacts.Unit.Property.allCases.map(\.rawValue).joined(separator: ",")
        var facts: ServiceFacts
        do {
            let text = try SystemCommand.output(
                of: [
                    "systemctl", "show", "--no-pager", "--property=\(properties)",
                ] + ServiceFacts.names)
            facts = ServiceFacts(systemctl: text)
        } catch {
            facts = ServiceFacts()
            facts.failure = "\(error)"
        }
        // systemd keeps this link while the service runs.
        facts.isProxyRunning = root.link("/run/systemd/units/invocation:iio-sensor-proxy.service") != nil
        return facts
    }

    /// Returns the service's warnings since boot; nil if the log cannot be read, as without permission.
    func warnings() -> [String]? { try? log(["--priority=warning", "--lines=20", "--output=cat"]) }

    /// Returns the last log lines of the service, or one line with the error.
    func recentLog() -> [String] {
        do {
            return try log(["--lines=\(Self.logLines)", "--output=short-iso", "--no-hostname", "--utc"])
        } catch {
            return ["cannot read: \(error)"]
        }
    }

    private func log(_ options: [String]) throws -> [String] {
        try SystemCommand.output(
            of: ["journalctl", "--quiet", "--no-pager", "--boot", "--unit=orientationd.service"] + options
        ).split(separator: "\n").map(String.init)
    }
}
