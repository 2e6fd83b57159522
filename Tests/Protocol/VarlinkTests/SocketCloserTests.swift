// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestServer
import TestSupport
import Testing
import Varlink

/// Without a process that holds copies a close may block; the sockets of one user then delay no other user's.
///
/// Each test runs in its own process: copies of the descriptors in other tests' threads would keep a close from being
/// the last.
@Suite(.timeLimit(.minutes(10))) struct SocketCloserTests {
    @Test func `a user whose sockets block delays no other user, and pending counts the sockets`() async {
        await #expect(processExitsWith: .success) {
            let closer = SocketCloser(mayCopy: false)
            var lingering: LingeringSocket? = try LingeringSocket()
            let blocked = try #require(lingering?.takeSender())
            closer.close(blocked, of: 1)
            let waiting = try Descriptors()
            closer.close(waiting.one, of: 1)
            let other = try Descriptors()
            closer.close(other.one, of: 2)
            // The other user's socket is closed while the first user's are pending.
            #expect(other.isClosedByPeer())
            while closer.pending(of: 2) > 0 { sched_yield() }
            #expect(closer.pending(of: 1) == 2)
            #expect(closer.pending == 2)
            // The reset ends the blocked close, and the next one follows.
            lingering = nil
            #expect(waiting.isClosedByPeer())
            while closer.pending > 0 { sched_yield() }
        }
    }

    @Test func `with more users than threads all sockets are closed once a thread is free`() async {
        await #expect(processExitsWith: .success) {
            let closer = SocketCloser(mayCopy: false)
            var lingering = try (0..<SocketCloser.threads).map { _ in try LingeringSocket() }
            for (user, one) in lingering.enumerated() { closer.close(one.takeSender(), of: UInt32(user)) }
            let other = try Descriptors()
            closer.close(other.one, of: 1_000)
            #expect(closer.pending == SocketCloser.threads + 1)
            lingering.removeLast()
            #expect(other.isClosedByPeer())
            lingering = []
            while closer.pending > 0 { sched_yield() }
        }
    }
}

/// A connected pair; the closer takes ownership of one end.
private final class Descriptors {
    let one: Int32
    private let other: Int32

    init() throws {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else {
            throw SocketError.failed(operation: "socketpair", errno: errno)
        }
        (one, other) = (pair[0], pair[1])
    }

    deinit { close(other) }

    /// Waits for the end of file.
    func isClosedByPeer() -> Bool {
        var byte: UInt8 = 0
        return recv(other, &byte, 1, 0) == 0
    }
}
