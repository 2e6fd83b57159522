// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import Glibc

/// Looks through /proc for the programs that have to do with accelerometers.
///
/// Any user can choose a process's name and arguments. A program is therefore known by its unit, which only root assigns,
/// or by its executable, where that belongs to a trusted user and a trusted user started it.
struct ProcessReader {
    let root: SystemRoot
    /// The users whose programs are what they are called: root, the caller, the owner of the daemon's socket.
    let trusted: Set<uid_t>

    /// Programs that read accelerometers; each has a unit of its name.
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

    /// The IIO device that a descriptor has open, without `/dev/`. In a mount namespace of its own a process can give any
    /// file this path, but cannot make it a device.
    private func node(of descriptor: String) -> String? {
        guard let target = root.link(descriptor), target.hasPrefix("/dev/iio:device") else { return nil }
        if let status = root.status(descriptor), status.st_mode & S_IFMT != S_IFCHR { return nil }
        return String(target.dropFirst("/dev/".count))
    }

    /// The known program in whose system unit a process runs. The group of another unit, such as cron's, may also hold
    /// users' programs.
    private func unit(of process: String) -> String? {
        let groups = (root.text("/proc/\(process)/cgroup") ?? "").split(separator: "\n")
        // `0::PATH`, and with the older hierarchies `1:name=systemd:PATH`.
        let paths = groups.map { $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).last ?? "" }
        return Self.known.first { paths.contains("/system.slice/\($0).service") }
    }

    /// The name of a process's executable; nil where it cannot be looked at, or not all of it is trusted.
    private func executable(of process: String) -> String? {
        guard let user = effective("Uid:", of: process), trusted.contains(user),
            let status = root.status("/proc/\(process)/exe"), trusted.contains(status.st_uid),
            let path = root.link("/proc/\(process)/exe"), let name = path.split(separator: "/").last
        else { return nil }
        // After an upgrade the daemon runs on from a file that is no longer there.
        let deleted = " (deleted)"
        return String(name.hasSuffix(deleted) ? name.dropLast(deleted.count) : name)
    }

    private func arguments(of process: String) -> [String] {
        (root.text("/proc/\(process)/cmdline") ?? "").split(separator: "\0").map(String.init)
    }

    /// The account that a process runs as.
    func account(of process: ProcessFacts.Process, _ accounts: AccountDatabase) -> Account? {
        let process = "\(process.identifier)"
        guard let user = effective("Uid:", of: process), let group = effective("Gid:", of: process) else { return nil }
        return Account(
            name: accounts.name(ofUser: user) ?? "user \(user)", user: user,
            groups: Set([group] + (numbers("Groups:", of: process) ?? [])))
    }

    /// Of real, effective, saved and for files the second decides.
    private func effective(_ field: String, of process: String) -> UInt32? {
        numbers(field, of: process)?.dropFirst().first
    }

    /// The numbers of a line of `status`.
    private func numbers(_ field: String, of process: String) -> [UInt32]? {
        for line in (root.text("/proc/\(process)/status") ?? "").split(separator: "\n") where line.hasPrefix(field) {
            return line.split(whereSeparator: \.isWhitespace).dropFirst().compactMap { UInt32($0) }
        }
        return nil
    }
}
