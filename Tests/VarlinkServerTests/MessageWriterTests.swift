// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing
import Varlink

@testable import VarlinkServer

/// The ways in which ``MessageWriter`` sends to many sessions: each test passes with all of them.
nonisolated enum Path: CaseIterable {
    /// With one system call for many.
    case ring
    /// With a ring that fails.
    case brokenRing
    /// One by one, because the kernel has no io_uring.
    case single

    /// Those that this kernel permits.
    static let permitted = SendRing() == nil ? [single] : allCases

    func writer() -> MessageWriter {
        switch self {
        case .ring: MessageWriter()
        case .brokenRing: MessageWriter(makeRing: broken)
        case .single: MessageWriter(makeRing: { nil })
        }
    }
}

/// Returns a ring whose descriptor is another file, so that each call fails.
private nonisolated func broken() -> SendRing? {
    let ring = SendRing()
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    if let ring { dup2(null, ring.descriptor) }
    close(null)
    return ring
}

/// A session that has called a method with `more`, and its client.
private final class Subscriber {
    let session: ClientSession
    private let client: StreamSocket

    init(_ number: Int) throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        client = try StreamSocket(adopting: ends[0])
        let socket = try StreamSocket(adopting: ends[1])
        session = ClientSession(
            id: ClientID(slot: number, serial: number), socket: socket, peer: try client.peerCredentials(), groups: [],
            limits: Limits())
        _ = try EncodedMessage(call: Call("a.b.Watch", mode: .more)).withBytes { try client.send($0) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_000, alignment: 1)
        defer { buffer.deallocate() }
        try session.receive(into: buffer)
        session.callsLeft = 1
        _ = try #require(session.nextCall())
    }

    /// Makes the session write to a full socket; returns the number of bytes that fill it.
    func fill() -> Int {
        let zeros = [UInt8](repeating: 0, count: 10_000)
        var total = 0
        while case let count = send(session.descriptor, zeros, zeros.count, Int32(MSG_DONTWAIT)), count > 0 {
            total += count
        }
        return total
    }

    /// The client stops receiving, so that a write fails with EPIPE.
    func stop() { client.shutdown() }

    /// Returns what the client receives until there is nothing more, while the session writes its unsent bytes.
    func received() throws -> [UInt8] {
        var all: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 100_000, alignment: 1)
        defer { buffer.deallocate() }
        while case .bytes(let count) = try client.receive(into: buffer) {
            all += buffer[..<count]
            try session.flush()
        }
        return all
    }
}

@Suite struct MessageWriterTests {
    private let short = EncodedMessage(reply: ["n": 1], continues: true)
    private let long = EncodedMessage(reply: ["text": .string(String(repeating: "x", count: 60_000))], continues: true)

    /// Writes to the subscribers' sessions, after they have accepted the message.
    private func write(
        _ message: EncodedMessage, to subscribers: [Subscriber], with writer: inout MessageWriter
    ) -> (behind: [Int], failed: [Int]) {
        let sessions = ContiguousArray(subscribers.map(\.session))
        #expect(sessions.allSatisfy { $0.accept(message) })
        let outcome = writer.write(message, to: sessions)
        return (outcome.behind.map(\.id.slot), outcome.failed.map(\.id.slot))
    }

    @Test(arguments: Path.permitted) func `each subscriber receives each message once, in order`(path: Path) throws {
        // More than two system calls of the ring, and fewer than its smallest batch.
        for count in [2 * SendRing.capacity + 20, MessageWriter.smallestBatch, MessageWriter.smallestBatch - 1, 1, 0] {
            let subscribers = try (0..<count).map { try Subscriber($0) }
            var writer = path.writer()
            for message in [short, long, short] {
                let outcome = write(message, to: subscribers, with: &writer)
                #expect(outcome == ([], []))
            }
            for subscriber in subscribers {
                #expect(try subscriber.received() == short.bytes + long.bytes + short.bytes)
                #expect(subscriber.session.isCaughtUp)
            }
        }
    }

    @Test(arguments: Path.permitted) func `a full socket, and one that has ended, stop no other subscriber`(
        path: Path
    ) throws {
        let subscribers = try (0..<40).map { try Subscriber($0) }
        let zeros = subscribers[7].fill()
        subscribers[20].stop()
        var writer = path.writer()
        let outcome = write(short, to: subscribers, with: &writer)
        #expect(outcome == ([7], [20]))
        #expect(!subscribers[7].session.isCaughtUp)
        #expect(subscribers[7].session.stalledSince != nil)
        #expect(try subscribers[7].received() == [UInt8](repeating: 0, count: zeros) + short.bytes)
        for subscriber in subscribers where ![7, 20].contains(subscriber.session.id.slot) {
            #expect(try subscriber.received() == short.bytes)
        }
    }

    @Test(arguments: Path.permitted) func `the rest of a message written in part is queued`(path: Path) throws {
        let subscribers = try (0..<20).map { try Subscriber($0) }
        // The default of a socket is about 200 KB: the last message fits in part.
        var writer = path.writer()
        var sent = 0
        while subscribers.allSatisfy(\.session.isCaughtUp) {
            let outcome = write(long, to: subscribers, with: &writer)
            sent += 1
            #expect(outcome.failed.isEmpty)
            #expect(outcome.behind.isEmpty || outcome.behind == Array(0..<20))
        }
        let unsent = subscribers.map(\.session.heldBytes)
        #expect(unsent.allSatisfy { 0 < $0 && $0 <= long.byteCount })
        for subscriber in subscribers {
            #expect(try subscriber.received() == Array(repeatElement(long.bytes, count: sent).joined()))
        }
    }

    @Test(.enabled(if: Path.permitted.contains(.ring)))
    func `a ring that has failed is replaced for the next message`() throws {
        let subscribers = try (0..<20).map { try Subscriber($0) }
        var made = 0
        var writer = MessageWriter {
            made += 1
            return made == 1 ? broken() : SendRing()
        }
        for expected in [1, 2, 2] {
            #expect(write(short, to: subscribers, with: &writer) == ([], []))
            #expect(made == expected)
        }
        for subscriber in subscribers { #expect(try subscriber.received() == short.bytes + short.bytes + short.bytes) }
    }
}
