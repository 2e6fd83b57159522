// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Posix

/// Closes sockets on helper threads, which exist only while a socket is queued.
///
/// Closing a socket drops the descriptors that are queued on it unread. Dropping the last reference to a file can block
/// for a time that the sender chose: a TCP socket with `SO_LINGER` and unsent data, a serial line that drains.
///
/// One thread at a time closes the sockets of one account (``ChargedUser``), at most ``batch`` per call. A user whose
/// sockets block delays no other user, unless ``threads`` users do so at the same time. The owner limits the number of
/// queued sockets: it counts ``pending`` as connections.
///
/// Unchecked: every mutable stored property is accessed with the lock held.
package final class SocketCloser: @unchecked Sendable {
    /// The instance of this process.
    package static let shared = SocketCloser()

    /// The maximum number of threads. 8: each takes some kilobytes, only on kernels without SO_PASSRIGHTS and only
    /// while a user passes descriptors.
    package static let threads = 8
    /// The number of sockets that one call closes. 64: large enough that many connections need few threads, small
    /// enough that a blocked batch delays few sockets.
    package static let batch = 64

    private let mayCopy: Bool
    private let lock = Lock()
    private var waiting: [ChargedUser: [Int32]] = [:]
    /// The number of sockets being closed, by user.
    private var closing: [ChargedUser: Int] = [:]
    private var runningThreads = 0

    /// Creates a closer.
    ///
    /// - Parameter mayCopy: false behaves as if no process could be created: each close may block.
    package init(mayCopy: Bool = true) {
        self.mayCopy = mayCopy
    }

    /// The number of sockets that are not closed yet.
    package var pending: Int {
        lock.withLock { waiting.values.reduce(0) { $0 + $1.count } + closing.values.reduce(0, +) }
    }

    /// Returns the number of sockets of a user that are not closed yet.
    package func pending(of user: UInt32) -> Int {
        let user = ChargedUser(user)
        return lock.withLock { waiting[user, default: []].count + closing[user, default: 0] }
    }

    /// Closes a socket on a helper thread; `user` is the peer's. Takes ownership and returns immediately.
    package func close(_ descriptor: Int32, of user: UInt32) {
        let user = ChargedUser(user)
        let needsThread = lock.withLock {
            waiting[user, default: []].append(descriptor)
            guard closing[user] == nil, runningThreads < Self.threads else { return false }
            runningThreads += 1
            return true
        }
        // If no thread can be created, the socket stays queued until the next call: closing it here could block.
        if needsThread { spawn() }
    }

    /// Closes sockets that stayed queued because no thread could be created.
    package func resume() {
        let needsThread = lock.withLock {
            guard runningThreads == 0, !waiting.isEmpty else { return false }
            runningThreads += 1
            return true
        }
        if needsThread { spawn() }
    }

    /// Starts a thread that is already counted.
    private func spawn() {
        do throws(Errno) { try DetachedThread.start("close", run) } catch { lock.withLock { runningThreads -= 1 } }
    }

    @Sendable private func run() {
        var finished: ChargedUser?
        while let (user, sockets) = takeBatch(after: finished) {
            var descriptors = sockets
            cposix_close_without_linger(&descriptors, descriptors.count, mayCopy ? 1 : 0)
            finished = user
        }
    }

    /// Returns the next sockets to close, all of one user that no other thread handles; nil ends the thread.
    private func takeBatch(after finished: ChargedUser?) -> (user: ChargedUser, sockets: [Int32])? {
        lock.withLock {
            if let finished { closing[finished] = nil }
            guard let user = waiting.keys.first(where: { closing[$0] == nil }), let sockets = waiting[user] else {
                runningThreads -= 1
                return nil
            }
            let rest = sockets.dropFirst(Self.batch)
            waiting[user] = rest.isEmpty ? nil : Array(rest)
            closing[user] = min(sockets.count, Self.batch)
            return (user, Array(sockets.prefix(Self.batch)))
        }
    }
}
