// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Systemd

/// Looks up the id of a group on another thread, because the lookup may query a directory service on the network. The
/// last result stays valid until the next one.
final class GroupLookup {
    /// The timeout of the first lookup at start, in seconds. `/etc/group` takes a millisecond; a directory service that
    /// does not reply must not delay the start.
    private static let longestWait = 0.5

    private let call: RepeatedCall<UInt32?>

    /// Starts the first lookup. Each appends ``Event/trustedGroup(_:)`` to `queue` with the result.
    init(_ name: String, on loop: EventLoop, queue: EventQueue, log: Logger) {
        var isMissed = false
        call = RepeatedCall(on: loop) {
            Self.find(name)
        } done: { outcome in
            switch outcome {
            case .success(let number):
                if number == nil, !isMissed {
                    log.notice(
                        """
                        group \(name): not found: only root and the daemon's own user may subscribe to motion and read the \
                        status; create the group, add users to it, and reload
                        """)
                }
                isMissed = number == nil
                queue.append(.trustedGroup(number))
            case .failure(let error): log.warning("\(error); keeping the last result")
            }
        }
        call.start()
    }

    /// Looks the group up again.
    func start() { call.start() }

    /// Waits for the first result, before the loop runs.
    func wait() { _ = call.wait(seconds: Self.longestWait) }

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
