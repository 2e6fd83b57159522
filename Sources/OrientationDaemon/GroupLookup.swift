// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Logging
internal import Systemd

/// Looks up the number of a group, on another thread: the answer may come from a directory on the network. Until it is
/// there, what was known before holds.
final class GroupLookup {
    /// Seconds for which the start of the daemon waits for the first answer. `/etc/group` needs a millisecond; a directory
    /// that does not answer must not keep the service from starting.
    private static let longestWait = 0.5

    private let name: String
    private let loop: EventLoop
    private let log: Logger
    private let queue: EventQueue
    private var call: BackgroundCall<Answer>?
    private var startsAgain = false
    private var isMissed = false

    enum Answer: Equatable, Sendable {
        /// The group's number; nil where there is no such group.
        case known(UInt32?)
        case failed(errno: Int32)
    }

    /// Starts the first lookup. Each appends ``Event/trustedGroup(_:)`` to `queue` once the number is known.
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
                take($0)
            }
        } catch {
            log.warning("group \(name): \(error)")
        }
    }

    /// Waits a moment for the first answer, before the loop runs.
    func wait() {
        call?.wait(seconds: Self.longestWait)
    }

    private func take(_ answer: Answer) {
        call = nil
        switch answer {
        case .known(let number):
            if number == nil, !isMissed {
                log.notice(
                    """
                    group \(name): not found: only root and the daemon's own user may follow the motion and see the status; \
                    create the group, add people to it, and reload
                    """)
            }
            isMissed = number == nil
            queue.append(.trustedGroup(number))
        case .failed(let code):
            let reason = String(cString: strerror(code))
            log.warning("group \(name): cannot look it up: \(reason); what was known of it holds")
        }
        if startsAgain { start() }
    }

    /// Asks the system's databases, which may block.
    nonisolated static func find(_ name: String) -> Answer {
        // A group with tens of thousands of members fits.
        for size in [4_096, 65_536, 1_048_576] {
            var entry = group()
            var found: UnsafeMutablePointer<group>?
            var buffer = [CChar](repeating: 0, count: size)
            let code = getgrnam_r(name, &entry, &buffer, buffer.count, &found)
            if code == ERANGE { continue }
            // What getgrnam(3) lists for a group that was not found.
            guard [0, ENOENT, ESRCH, EBADF, EPERM].contains(code) else { return .failed(errno: code) }
            return .known(found?.pointee.gr_gid)
        }
        return .failed(errno: ERANGE)
    }
}
