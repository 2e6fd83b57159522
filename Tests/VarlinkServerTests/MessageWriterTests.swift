// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing
import Varlink

@testable import VarlinkServer

/// The methods with which ``MessageWriter`` sends; most tests run with each.
nonisolated enum SendMethod: CaseIterable {
    /// With one system call for many.
    case ring
    /// With a ring whose system calls fail.
    case brokenRing
    /// With one send(2) per session, without io_uring.
    case single

    /// The methods that this kernel permits.
    static let permitted = SendRing() == nil ? [single] : allCases

    func writer() -> MessageWriter {
        switch self {
        case .ring: MessageWriter()
        case .brokenRing: MessageWriter(makeSender: broken)
        case .single: MessageWriter(makeSender: { nil })
        }
    }
}

/// Returns the sender of a ring whose descriptor is another file, so that each call fails.
private nonisolated func broken() -> MessageWriter.Sender? {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    guard let ring = SendRing(), dup2(null, ring.descriptor) == ring.descriptor else {
        Issue.record("cannot break a ring")
        return nil
    }
    return { ring.send($0, to: $1) }
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
        #expect(sessions.allSatisfy { $0.acceptUnqueued(message) })
        let outcome = writer.write(message, to: sessions)
        return (outcome.behind.map(\.id.slot), outcome.failed.map(\.id.slot))
    }

    @Test(arguments: SendMethod.permitted) func `each subscriber receives each message once, in order`(
        method: SendMethod
    ) throws {
        // Two system calls of the ring, one, and fewer sessions than its smallest batch.
        for count in [SendRing.capacity + 20, MessageWriter.smallestBatch, MessageWriter.smallestBatch - 1, 1, 0] {
            let subscribers = try (0..<count).map { try Subscriber($0) }
            var writer = method.writer()
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

    @Test(arguments: SendMethod.permitted) func `a full socket and a closed one do not affect other subscribers`(
        method: SendMethod
    ) throws {
        let subscribers = try (0..<40).map { try Subscriber($0) }
        let zeros = subscribers[7].fill()
        subscribers[20].stop()
        var writer = method.writer()
        let outcome = write(short, to: subscribers, with: &writer)
        #expect(outcome == ([7], [20]))
        #expect(!subscribers[7].session.isCaughtUp)
        #expect(subscribers[7].session.stalledSince != nil)
        #expect(try subscribers[7].received() == [UInt8](repeating: 0, count: zeros) + short.bytes)
        for subscriber in subscribers where ![7, 20].contains(subscriber.session.id.slot) {
            #expect(try subscriber.received() == short.bytes)
        }
    }

    @Test(arguments: SendMethod.permitted) func `the rest of a message written in part is queued`(
        method: SendMethod
    ) throws {
        let subscribers = try (0..<20).map { try Subscriber($0) }
        // The default of a socket is about 200 KB: the last message fits in part.
        var writer = method.writer()
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

    @Test(.enabled(if: SendMethod.permitted.contains(.ring)))
    func `many sessions are written to with a ring, few are not`() throws {
        let ring = try #require(SendRing())
        var batches: [Int] = []
        var writer = MessageWriter {
            {
                batches.append($1.count)
                return ring.send($0, to: $1)
            }
        }
        let subscribers = try (0..<SendRing.capacity + 20).map { try Subscriber($0) }
        #expect(write(short, to: subscribers, with: &writer) == ([], []))
        #expect(batches == [SendRing.capacity, 20])
        let few = Array(subscribers.prefix(MessageWriter.smallestBatch - 1))
        #expect(write(short, to: few, with: &writer) == ([], []))
        #expect(batches == [SendRing.capacity, 20])
    }

    @Test func `each result of a ring has its effect`() throws {
        let subscribers = try (0..<20).map { try Subscriber($0) }
        let size = Int32(short.byteCount)
        var writer = MessageWriter {
            { _, sockets in
                var values = Array(repeating: size, count: sockets.count)
                // 1: five bytes were sent; 2 and 3: none; 4 and 5: the socket failed; the others: all.
                values.replaceSubrange(1..<6, with: [5, -EAGAIN, -EINTR, -EPIPE, -ECONNRESET])
                return SendRing.Results(values: values)
            }
        }
        let outcome = write(short, to: subscribers, with: &writer)
        #expect(outcome == ([1, 2, 3], [4, 5]))
        #expect(subscribers.map(\.session.isCaughtUp) == (0..<20).map { ![1, 2, 3].contains($0) })
        // Unsent bytes are queued.
        for subscriber in subscribers[1...3] { try subscriber.session.flush() }
        #expect(try subscribers[0].received() == [])
        #expect(try subscribers[1].received() == Array(short.bytes.dropFirst(5)))
        #expect(try subscribers[2].received() == short.bytes)
        #expect(try subscribers[3].received() == short.bytes)
    }

    @Test(.enabled(if: SendMethod.permitted.contains(.ring)))
    func `after a ring fails in a batch, the rest is sent without it, and in order`() throws {
        let ring = try #require(SendRing())
        var calls = 0
        var writer = MessageWriter {
            {
                calls += 1
                guard calls == 2 else { return ring.send($0, to: $1) }
                // The kernel accepted seven entries; the result of one is unknown.
                var results = ring.send($0, to: Array($1.prefix(7)))
                results.values[6] = -EIO
                results.hasFailed = true
                return results
            }
        }
        let subscribers = try (0..<40).map { try Subscriber($0) }
        #expect(write(long, to: subscribers, with: &writer) == ([], []))
        #expect(write(short, to: subscribers, with: &writer) == ([], [6]))
        #expect(write(long, to: subscribers, with: &writer) == ([], []))
        #expect(calls == 2)
        for subscriber in subscribers { #expect(try subscriber.received() == long.bytes + short.bytes + long.bytes) }
    }

    @Test(.enabled(if: SendMethod.permitted.contains(.ring)), arguments: [true, false])
    func `after a ring fails or cannot be created, another is created only after most clients have left`(
        isCreated: Bool
    ) throws {
        let subscribers = try (0..<20).map { try Subscriber($0) }
        var tries = 0
        var writer = MessageWriter {
            tries += 1
            return isCreated ? broken() : nil
        }
        for _ in 0..<3 { #expect(write(short, to: subscribers, with: &writer) == ([], [])) }
        writer.noteDisconnection(remaining: MessageWriter.smallestBatch / 2)
        #expect(write(short, to: subscribers, with: &writer) == ([], []))
        #expect(tries == 1)
        writer.noteDisconnection(remaining: MessageWriter.smallestBatch / 2 - 1)
        #expect(write(short, to: subscribers, with: &writer) == ([], []))
        #expect(tries == 2)
        for subscriber in subscribers {
            #expect(try subscriber.received() == Array(repeatElement(short.bytes, count: 5).joined()))
        }
    }

    @Test(.enabled(if: SendMethod.permitted.contains(.ring)))
    func `a ring is kept for the next message, and created again after most clients have left`() throws {
        let subscribers = try (0..<20).map { try Subscriber($0) }
        var created = 0
        var writer = MessageWriter {
            created += 1
            return SendRing().map { ring in { ring.send($0, to: $1) } }
        }
        for _ in 0..<2 { #expect(write(short, to: subscribers, with: &writer) == ([], [])) }
        writer.noteDisconnection(remaining: MessageWriter.smallestBatch / 2)
        #expect(write(short, to: subscribers, with: &writer) == ([], []))
        #expect(created == 1)
        writer.noteDisconnection(remaining: MessageWriter.smallestBatch / 2 - 1)
        #expect(write(short, to: subscribers, with: &writer) == ([], []))
        #expect(created == 2)
    }
}
