// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import TestServer
import TestSupport
import Testing
import Varlink

@testable import OrientationClient

@Suite(.timeLimit(.minutes(10))) struct OrientationMonitorTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.socket }

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `after a reconnect an unchanged state is skipped`() async throws {
        let daemon = try StubDaemon(at: path, state: .number(1))
        var states = OrientationMonitor(.daemon(socketPath: path), buffering: .newest).makeAsyncIterator()
        #expect(try await states.next() == .number(1))
        daemon.disconnectAll()
        async let next = states.next()
        while daemon.peerCount == 0 { await Task.yield() }
        daemon.publish(.number(2))
        #expect(try await next == .number(2))
    }

    @Test func `cancellation ends the sequence and closes the socket`() async throws {
        let daemon = try StubDaemon(at: path, state: .number(1))
        let monitor = OrientationMonitor(.daemon(socketPath: path), buffering: .newest)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            var count = 0
            for try await _ in monitor {
                count += 1
                start.yield()
            }
            return count
        }
        for await _ in started { break }
        #expect(daemon.peerCount == 1)
        task.cancel()
        #expect(try await task.value == 1)
        while daemon.peerCount > 0 { await Task.yield() }
    }

    @Test func `a cancelled task gets no state`() async throws {
        let monitor = OrientationMonitor(.daemon(socketPath: path), buffering: .newest)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            var states = monitor.makeAsyncIterator()
            return try await states.next()
        }
        #expect(try await task.value == nil)
    }

    @Test func `releasing an iterator closes its socket`() async throws {
        let daemon = try StubDaemon(at: path, state: .number(1))
        do {
            var states = OrientationMonitor(.daemon(socketPath: path), buffering: .newest).makeAsyncIterator()
            #expect(try await states.next() == .number(1))
        }
        while daemon.peerCount > 0 { await Task.yield() }
    }

    @Test func `an invalid path is thrown once, then the sequence ends`() async throws {
        let long = "/" + String(repeating: "x", count: 200)
        var states = OrientationMonitor(socketPath: long).makeAsyncIterator()
        await #expect(throws: OrientationServiceError.self) { try await states.next() }
        #expect(try await states.next() == nil)
    }

    @Test func `a hundred monitors follow the daemon`() async throws {
        let daemon = try StubDaemon(at: path, state: .number(1))
        let path = path
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    for try await state in OrientationMonitor(.daemon(socketPath: path), buffering: .newest)
                    where state.sequence == 2 { return 2 }
                    return nil
                }
            }
            while daemon.peerCount < 100 { await Task.yield() }
            daemon.publish(.number(2))
            for try await result in group { #expect(result == 2) }
        }
    }
}
