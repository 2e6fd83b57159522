// SPDX-License-Identifier: Apache-2.0

import Foundation
import SystemdTestSupport
import Testing

@testable import Systemd

@Suite(.serialized, .timeLimit(.minutes(10))) struct EventLoopTests {
    private let bench: LoopBench
    private var loop: EventLoop { bench.loop }

    init() throws {
        bench = try LoopBench()
    }

    // MARK: Descriptors

    @Test func `a readable descriptor calls its handler, until it was read`() throws {
        let pipe = Pipe()
        var readiness: [Readiness] = []
        let source = try loop.watch(pipe.fileHandleForReading.fileDescriptor, for: .read) { ready in
            readiness.append(ready)
            _ = pipe.fileHandleForReading.availableData
        }
        #expect(try bench.runReady() == 0)
        pipe.fileHandleForWriting.write(Data([1]))
        #expect(try bench.runReady() == 1)
        #expect(readiness == [.read])
        #expect(try bench.runReady() == 0)
        withExtendedLifetime(source) {}
    }

    @Test func `a hang-up is reported with any interest`() throws {
        let pipe = Pipe()
        var isHungUp = false
        let source = try loop.watch(pipe.fileHandleForReading.fileDescriptor, for: []) { isHungUp = $0.isHungUp }
        try pipe.fileHandleForWriting.close()
        try bench.run { isHungUp }
        withExtendedLifetime(source) {}
    }

    @Test func `a changed interest applies to the next event`() throws {
        let pair = try SocketPair()
        var readiness: [Readiness] = []
        let source = try loop.watch(pair.one, for: .read) { readiness.append($0) }
        source.setInterest(.write)
        pair.send(from: pair.other)
        try bench.run { !readiness.isEmpty }
        #expect(readiness.allSatisfy { $0 == .write })
        source.setInterest([])
        #expect(try bench.runReady() == 0)
        source.setInterest(.read)
        readiness = []
        try bench.run { !readiness.isEmpty }
        #expect(readiness.allSatisfy { $0 == .read })
    }

    @Test func `a paused source is called again after it was resumed`() throws {
        let pair = try SocketPair()
        var count = 0
        let source = try loop.watch(pair.one, for: .read) { _ in
            count += 1
            pair.receive(at: pair.one)
        }
        source.pause()
        pair.send(from: pair.other)
        #expect(try bench.runReady() == 0)
        source.resume()
        #expect(try bench.runReady() == 1)
        #expect(count == 1)
    }

    @Test(arguments: [false, true])
    func `a source that is paused or released in its own handler is called once`(isReleased: Bool) throws {
        let pair = try SocketPair()
        var count = 0
        var source: EventSource?
        source = try loop.watch(pair.one, for: .read) { _ in
            if isReleased { source = nil } else { source?.pause() }
            count += 1
        }
        pair.send(from: pair.other)
        #expect(try bench.runReady() == 1)
        #expect(count == 1)
        #expect((source == nil) == isReleased)
    }

    @Test func `a ready source that another handler releases is not called`() throws {
        let pairs = [try SocketPair(), try SocketPair()]
        var sources: [EventSource?] = [nil, nil]
        var calls: [Int] = []
        for index in 0..<2 {
            sources[index] = try loop.watch(pairs[index].one, for: .read) { _ in
                calls.append(index)
                sources[1 - index] = nil
                sources[index]?.pause()
            }
        }
        for pair in pairs { pair.send(from: pair.other) }
        #expect(try bench.runReady() == 1)
        #expect(calls.count == 1)
    }

    @Test func `a descriptor that a handler closes, opens again and watches calls the next handler`() throws {
        let (first, second) = (try SocketPair(), try SocketPair())
        var source: EventSource?
        var calls = 0
        source = try loop.watch(first.one, for: .read) { [loop] _ in
            source = nil
            // Another socket with the same number.
            dup2(second.one, first.one)
            source = try? loop.watch(first.one, for: .read) { _ in
                calls += 1
                source?.pause()
            }
        }
        first.send(from: first.other)
        #expect(try bench.runReady() == 1)
        second.send(from: second.other)
        #expect(try bench.runReady() == 1 && calls == 1)
    }

    @Test func `a descriptor that is not open is an error with its number`() throws {
        let error = #expect(throws: SystemError.self) { _ = try loop.watch(1 << 20, for: .read) { _ in } }
        #expect(error?.description == "cannot watch descriptor 1048576: Bad file descriptor")
    }

    // MARK: Timers

    @Test func `a timer fires once for each start`() throws {
        var count = 0
        let timer = try loop.timer { count += 1 }
        #expect(try bench.runReady() == 0)
        timer.fire(after: 0)
        try bench.run { count == 1 }
        #expect(try bench.runReady() == 0)
        timer.fire(after: -1)
        try bench.run { count == 2 }
        #expect(try bench.runReady() == 0)
    }

    @Test func `a timer may start itself in its handler, and release itself`() throws {
        var count = 0
        var timer: EventSource?
        timer = try loop.timer {
            count += 1
            if count < 3 { timer?.fire(after: 0) } else { timer = nil }
        }
        timer?.fire(after: 0)
        try bench.run { timer == nil }
        #expect(count == 3)
        #expect(try bench.runReady() == 0)
    }

    // MARK: Signals, and the run

    @Test func `a signal calls its handler`() throws {
        var count = 0
        let source = try loop.watch(signal: SIGUSR2) { count += 1 }
        // To this thread: other threads of the tests do not block the signal.
        pthread_kill(pthread_self(), SIGUSR2)
        try bench.run { count == 1 }
        #expect(try bench.runReady() == 0)
        withExtendedLifetime(source) {}
    }

    @Test func `run calls afterEach after each callback, and returns the status of exit`() throws {
        var events: [String] = []
        let first = try loop.timer { events.append("first") }
        let second = try loop.timer { [loop] in
            events.append("second")
            loop.exit(status: 7)
        }
        first.fire(after: 0)
        second.fire(after: 0.01)
        let status = try loop.run { events.append("after") }
        #expect(status == 7)
        #expect(events.filter { $0 != "after" } == ["first", "second"])
        #expect(events.firstIndex(of: "after") == 1)
    }
}

/// Two connected sockets, which the test closes.
private final class SocketPair {
    let one: Int32
    let other: Int32

    init() throws {
        var pair: [Int32] = [-1, -1]
        try check(
            -(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 ? 0 : errno), "create a socket pair")
        (one, other) = (pair[0], pair[1])
    }

    isolated deinit {
        close(one)
        close(other)
    }

    func send(from end: Int32) {
        var byte: UInt8 = 1
        Foundation.send(end, &byte, 1, 0)
    }

    func receive(at end: Int32) {
        var byte: UInt8 = 0
        recv(end, &byte, 1, 0)
    }
}
