// SPDX-License-Identifier: Apache-2.0

import Diagnosis

/// Looks through /proc for the programs that have to do with accelerometers.
struct ProcessReader {
    let root: SystemRoot

    /// Programs that read accelerometers, as the kernel has their names.
    private static let known: Set = ["orientationd", "iio-sensor-prox", "sensorfwd"]

    func processes() -> ProcessFacts {
        var facts = ProcessFacts()
        for entry in root.entries("/proc") {
            guard let identifier = Int(entry), let name = root.line("/proc/\(entry)/comm") else { continue }
            let folder = "/proc/\(entry)/fd"
            if !root.isListable(folder), root.exists("/proc/\(entry)") { facts.isComplete = false }
            let targets = root.entries(folder).compactMap { root.link("\(folder)/\($0)") }
            let nodes = targets.filter { $0.hasPrefix("/dev/iio:device") }.map { String($0.dropFirst("/dev/".count)) }
            guard !nodes.isEmpty || Self.known.contains(name) else { continue }
            facts.processes.append(
                .init(
                    identifier: identifier, name: name, arguments: name == "orientationd" ? arguments(of: entry) : [],
                    nodes: Set(nodes)))
        }
        return facts
    }

    private func arguments(of process: String) -> [String] {
        (root.text("/proc/\(process)/cmdline") ?? "").split(separator: "\0").map(String.init)
    }

    /// The account that a process runs as, from its lines `Uid:` and `Groups:`.
    func account(of process: ProcessFacts.Process, _ accounts: AccountDatabase) -> Account? {
        var fields: [Substring: [UInt32]] = [:]
        for line in (root.text("/proc/\(process.identifier)/status") ?? "").split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            if let name = words.first { fields[name] = words.dropFirst().compactMap { UInt32($0) } }
        }
        // Real, effective, saved, for files: the second decides.
        guard let users = fields["Uid:"], users.count > 1, let groups = fields["Gid:"], groups.count > 1 else {
            return nil
        }
        return Account(
            name: accounts.name(ofUser: users[1]) ?? "user \(users[1])", user: users[1],
            groups: Set([groups[1]] + (fields["Groups:"] ?? [])))
    }
}
