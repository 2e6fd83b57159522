// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Finds the processes that use accelerometers, in /proc.
///
/// Any user can choose the name and the arguments of a process. A program is therefore identified by its unit, which
/// only root assigns, or by its executable, if a trusted user owns it and a trusted user started it.
struct ProcessReader {
    let root: SystemRoot
    /// The trusted users: root, the caller, the owner of the daemon's socket.
    let trusted: Set<uid_t>

    /// Programs that read accelerometers; each has a unit of the same name.
    private static let known: Set = ["orientationd", "iio-sensor-proxy", "sensorfwd"]

    func processes() -> ProcessFacts {
        var facts = ProcessFacts()
        for entry in root.entries("/proc") {
            guard let identifier = Int(entry), let name = root.line("/proc/\(entry)/comm") else { continue }
            let folder = "/proc/\(entry)/fd"
            if !root.isListable(folder), root.exists("/proc/\(entry)") { facts.isComplete = false }
            let nodes = Set(root.entries(folder).compactMap { node(of: "\(folder)/\($0)") })
            let unit = unit(of: entry)
            let program = unit ?? executable(of: entry)
            guard !nodes.isEmpty || program.map(Self.known.contains) == true else { continue }
            facts.processes.append(
                .init(
                    identifier: identifier, name: name, program: program, isService: unit != nil,
                    arguments: program == "orientationd" ? arguments(of: entry) : [], nodes: nodes))
        }
        return facts
    }

    /// Returns the IIO device that a descriptor refers to, without `/dev/`. In its own mount namespace a process can give
    /// any file this path, but cannot make it a character device.
    private func node(of descriptor: String) -> String? {
        guard let target = root.link(descriptor), target.hasPrefix("/dev/iio:device") else { return nil }
        if let status = root.status(descriptor), status.st_mode & S_IFMT != S_IFCHR { return nil }
        return String(target.dropFirst("/dev/".count))
    }

    /// Returns the known program in whose system unit a process runs. The cgroup of another unit, such as cron, may also
    /// contain users' processes.
    private func unit(of process: String) -> String? {
        let groups = (root.text("/proc/\(process)/cgroup") ?? "").split(separator: "\n")
        // `0::PATH`, or `1:name=systemd:PATH` with cgroup v1.
        let paths = groups.map { $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).last ?? "" }
        return Self.known.first { paths.contains("/system.slice/\($0).service") }
    }

    /// Returns the name of a process's executable; nil if it is unreadable or not trusted.
    private func executable(of process: String) -> String? {
        guard let user = effective("Uid:", of: process), trusted.contains(user),
            let status = root.status("/proc/\(process)/exe"), trusted.contains(status.st_uid),
            let path = root.link("/proc/\(process)/exe"), let name = path.split(separator: "/").last
        else { return nil }
        // After an upgrade the daemon still runs from the deleted file.
        let deleted = " (deleted)"
        return String(name.hasSuffix(deleted) ? name.dropLast(deleted.count) : name)
    }

    private func arguments(of process: String) -> [String] {
        (root.text("/proc/\(process)/cmdline") ?? "").split(separator: "\0").map(String.init)
    }

    func account(of process: ProcessFacts.Process, _ accounts: AccountDatabase) -> Account? {
        let process = "\(process.identifier)"
        guard let user = effective("Uid:", of: process), let group = effective("Gid:", of: process) else { return nil }
        return Account(
            name: accounts.name(ofUser: user) ?? "user \(user)", user: user,
            groups: Set([group] + (numbers("Groups:", of: process) ?? [])))
    }

    /// Returns the effective id, the second of four: real, effective, saved, file system.
    private func effective(_ field: String, of process: String) -> UInt32? {
        numbers(field, of: process)?.dropFirst().first
    }

    /// Returns the numbers on a line of `status`.
    private func numbers(_ field: String, of process: String) -> [UInt32]? {
        for line in (root.text("/proc/\(process)/status") ?? "").split(separator: "\n") where line.hasPrefix(field) {
            return line.split(whereSeparator: \.isWhitespace).dropFirst().compactMap { UInt32($0) }
        }
        return nil
    }
}
