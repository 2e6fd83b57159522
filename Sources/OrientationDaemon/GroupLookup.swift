// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Logging
internal import Systemd

/// Looks up the id of a group on another thread, because the lookup may query a directory service on the network. The
/// last result stays valid until the next one.
final class GroupLookup {
    /// The timeout of the first lookup at start, in seconds. `/etc/group` takes a millisecond; a directory service that
    /// does not reply must not delay the start.
    private static let longestWait = 0.5

    private let name: String
    private let loop: EventLoop
    private let log: Logger
    private let queue: EventQueue
    private var call: BackgroundCall<Answer>?
    private var startsAgain = false
    private var isMissed = false

    enum Answer: Equatable, Sendable {
        /// The id; nil if the group does not exist.
        case known(UInt32?)
        case failed(errno: Int32)
    }

    /// Starts the first lookup. Each appends ``Event/trustedGroup(_:)`` to `queue` with the result.
    init(_ name: String, on loop: EventLoop, queue: EventQueue, log: Logger) {
        self.name = name
        self.loop = loop
        self.log = log
        self.queue = queue
        start()
    }

    /// Looks the group up again.
    func start() {
        guard call == nil else { return startsAgain = true }
        startsAgain = false
        do throws(SystemError) {
            call = try BackgroundCall(on: loop) { [name] in
                Self.find(name)
            } done: { [unowned self] in
                handle($0)
            }
        } catch {
            log.warning("group \(name): \(error)")
        }
    }

    /// Waits for the first result, before the loop runs.
    func wait() {
        call?.wait(seconds: Self.longestWait)
    }

    private func handle(_ answer: Answer) {
        call = nil
        switch answer {
        case .known(let number):
            if number == nil, !isMissed {
                log.notice(
                    """
                    group \(name): not found: only root and the daemon's own user may subscribe to motion and read the status; \
                    create the group, add users to it, and reload
                    """)
            }
            isMissed = number == nil
            queue.append(.trustedGroup(number))
        case .failed(let code):
            let reason = String(cString: strerror(code))
            log.warning("group \(name): cannot look it up: \(reason); keeping the last result")
        }
        if startsAgain { start() }
    }

    /// Queries the system's databases; blocks.
    nonisolated static func find(_ name: String) -> Answer {
        // The largest buffer holds a group of tens of thousands of members.
        for size in [4_096, 65_536, 1_048_576] {
            var entry = group()
            var found: UnsafeMutablePointer<group>?
            var buffer = [CChar](repeating: 0, count: size)
            let code = getgrnam_r(name, &entry, &buffer, buffer.count, &found)
            if code == ERANGE { continue }
            // The codes that getgrnam(3) lists for a missing group.
            guard [0, ENOENT, ESRCH, EBADF, EPERM].contains(code) else { return .failed(errno: code) }
            return .known(found?.pointee.gr_gid)
        }
        return .failed(errno: ERANGE)
    }
}
