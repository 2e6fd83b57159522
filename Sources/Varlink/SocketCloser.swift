// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc
internal import Support

/// Closes sockets on helper threads, which exist only while a socket waits.
///
/// The last reference to a file that waits unread on a socket is dropped when the socket is closed. Dropping it can wait for
/// as long as the sender chose: a TCP socket with `SO_LINGER` and unsent data, a serial line that drains.
///
/// One thread at a time closes the sockets of one user, at most ``batch`` together: a user whose sockets block delays no
/// other user, until ``threads`` users do so at once. The caller bounds the number of sockets that wait: it counts
/// ``pending`` as connections.
///
/// Unchecked: every stored property that changes is used with the lock held.
package final class SocketCloser: @unchecked Sendable {
    /// The closer of this process.
    package static let shared = SocketCloser()

    /// How many threads close at most. 8: on kernels without SO_PASSRIGHTS each takes some kilobytes and a millisecond of
    /// a user that passes descriptors.
    package static let threads = 8
    /// How many sockets one thread closes together. 64: enough that a storm of connections costs a few threads, few
    /// enough that a blocked batch delays little.
    package static let batch = 64

    private let mayUnshare: Bool
    private let lock = Lock()
    private var waiting: [UInt32: [Int32]] = [:]
    /// How many sockets a thread is closing now, by user.
    private var closing: [UInt32: Int] = [:]
    private var runningThreads = 0

    /// - Parameter mayUnshare: false closes as in a container that forbids `unshare`: every close waits as long as the
    ///   kernel does.
    package init(mayUnshare: Bool = true) {
        self.mayUnshare = mayUnshare
    }

    /// How many sockets are not closed yet.
    package var pending: Int {
        lock.withLock { waiting.values.reduce(0) { $0 + $1.count } + closing.values.reduce(0, +) }
    }

    /// How many sockets of one user are not closed yet.
    package func pending(of user: UInt32) -> Int {
        lock.withLock { waiting[user, default: []].count + closing[user, default: 0] }
    }

    /// Takes over a socket and closes it on a helper thread, on behalf of the user at its other end. Returns at once.
    package func close(_ descriptor: Int32, of user: UInt32) {
        let needsThread = lock.withLock {
            waiting[user, default: []].append(descriptor)
            guard closing[user] == nil, runningThreads < Self.threads else { return false }
            runningThreads += 1
            return true
        }
        guard needsThread else { return }
        // Without a thread the socket waits for the next call: closing it here could block.
        if !spawn() { lock.withLock { runningThreads -= 1 } }
    }

    private func spawn() -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(self)
        if pthread_create(&thread, &attributes, runCloser, argument.toOpaque()) == 0 { return true }
        argument.release()
        return false
    }

    fileprivate func run() {
        var finished: UInt32?
        while let (user, sockets) = takeBatch(after: finished) {
            var descriptors = sockets
            cposix_close_without_linger(&descriptors, descriptors.count, mayUnshare ? 1 : 0)
            finished = user
        }
    }

    /// The next sockets to close, all of one user that no other thread serves; nil ends the thread.
    private func takeBatch(after finished: UInt32?) -> (user: UInt32, sockets: [Int32])? {
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

private func runCloser(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // Signals are for the threads of the program.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    Unmanaged<SocketCloser>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
