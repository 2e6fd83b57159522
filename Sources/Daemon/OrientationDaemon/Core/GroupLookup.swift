// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Systemd

/// Looks up the id of a group: in `/etc/group` first, where packages create their groups, and then in the other databases of
/// the system, on another thread, because these may query a directory service on the network. The last result stays valid
/// until the next one.
final class GroupLookup {
    /// The timeout of the first lookup at start, in seconds: a directory service that does not reply must not delay the
    /// start.
    private static let longestWait = 0.5

    private let name: String
    private let file: String
    private let loop: EventLoop
    private let queue: EventQueue
    private let log: Logger
    /// The lookup in the other databases; nil while the group is in the file.
    private var call: RepeatedCall<UInt32?>?
    private var isMissed = false

    /// Looks the group up in the file, or starts the lookup on a thread. Each lookup appends ``Event/trustedGroup(_:)`` to
    /// `queue` with the result.
    init(_ name: String, file: String = "/etc/group", on loop: EventLoop, queue: EventQueue, log: Logger) {
        self.name = name
        self.file = file
        self.loop = loop
        self.queue = queue
        self.log = log
        start()
    }

    /// Looks the group up again.
    func start() {
        if let number = Self.findInFile(name, path: file) {
            // Discards the result of a call in progress, which is older.
            call = nil
            return found(number)
        }
        if call == nil {
            call = RepeatedCall(on: loop) { [name] in
                Self.find(name)
            } done: { [unowned self] in
                finish($0)
            }
        }
        call?.start()
    }

    private func finish(_ outcome: Result<UInt32?, SystemError>) {
        switch outcome {
        case .success(let number): found(number)
        case .failure(let error): log.warning("\(error); keeping the last result")
        }
    }

    private func found(_ number: UInt32?) {
        if number == nil, !isMissed {
            log.notice(
                """
                group \(name): not found: only root and the daemon's own user may subscribe to motion and read the \
                status; create the group, add users to it, and reload
                """)
        }
        isMissed = number == nil
        queue.append(.trustedGroup(number))
    }

    /// Waits for the first result, before the loop runs.
    func wait() { _ = call?.wait(seconds: Self.longestWait) }

    /// Returns the id of a group that the file lists; nil if it cannot be read, or does not list the group. Loads no module of
    /// the name service switch: a module and the thread that needs it take 56 KiB of memory.
    static func findInFile(_ name: String, path: String) -> UInt32? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        // The search ends at an entry that does not fit.
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4_096) { buffer in
            var entry = group()
            var found: UnsafeMutablePointer<group>?
            while fgetgrent_r(file, &entry, buffer.baseAddress, buffer.count, &found) == 0 {
                if strcmp(entry.gr_name, name) == 0 { return entry.gr_gid }
            }
            return nil
        }
    }

    /// Queries the system's databases, and returns the id; nil if the group does not exist. Blocks.
    static func find(_ name: String) -> Result<UInt32?, SystemError> {
        var code: Int32 = 0
        // The largest buffer holds a group of tens of thousands of members.
        for size in [4_096, 65_536, 1_048_576] {
            var entry = group()
            var found: UnsafeMutablePointer<group>?
            var buffer = [CChar](repeating: 0, count: size)
            code = getgrnam_r(name, &entry, &buffer, buffer.count, &found)
            if code == ERANGE { continue }
            // The codes that getgrnam(3) lists for a missing group.
            if [0, ENOENT, ESRCH, EBADF, EPERM].contains(code) { return .success(found?.pointee.gr_gid) }
            break
        }
        return .failure(SystemError(operation: "look up the group \(name)", code: code))
    }
}
