// SPDX-License-Identifier: Apache-2.0

import Foundation
import Systemd
import TestServer
import TestSupport
import Varlink

@testable import VarlinkServer

/// The events that are not handled yet.
private final class Queue {
    var events: [ClientEvent] = []
}

/// What a test does with a call.
enum Effect {
    case reply(ClientID, EncodedMessage, sequence: Int? = nil)
    case broadcast(EncodedMessage, sequence: Int, to: [ClientID])
}

/// A table of clients on a loop of its own, with a function in the place of the handlers; the clients of a test are on
/// another thread.
final class TableBench {
    let directory: TemporaryDirectory
    let loop: EventLoop
    private(set) var table: ClientTable?
    /// The connections that were closed.
    private(set) var departures = 0
    /// The clients that fell behind.
    private(set) var late: Set<ClientID> = []
    /// The effects of a call; by default a reply with its own parameters.
    var answer: (Call, ClientID) -> [Effect] = { [.reply($1, EncodedMessage(reply: $0.parameters))] }
    /// The effects of a subscriber's catching up, whose newest change has this sequence; none by default.
    var answerCaughtUp: (ClientID, _ sequence: Int?) -> [Effect] = { _, _ in [] }
    private let queue = Queue()

    /// Serves with the standard limits, which `change` changes; but a busy machine may let clients wait longer.
    init(
        guardian: DescriptorGuard = .standard, authority: Authority = Authority(ownUser: 0, group: nil),
        _ change: (inout Limits) -> Void = { _ in }
    ) throws {
        var limits = Limits()
        limits.stallTimeout = 600
        change(&limits)
        directory = try TemporaryDirectory()
        loop = try EventLoop()
        table = try ClientTable(
            listener: try ListeningSocket.bind(to: directory.socket, mode: 0o600, guardian: guardian), limits: limits,
            authority: authority, interface: "a.b", loop: loop,
            log: Logger { _, _ in },
            closer: guardian.closer, report: { [queue] in queue.events.append($0) })
    }

    /// Serves until the clients are done, and returns what they found.
    func serve<Found: Sendable>(_ clients: @escaping @Sendable (_ path: String) throws -> Found) throws -> Found {
        let path = directory.socket
        let ends = Pipe()
        let outcome = Outcome<Found>()
        let watch = try loop.watch(ends.fileHandleForReading.fileDescriptor, for: .read) { [loop] _ in
            loop.exit(status: 0)
        }
        Thread.detachNewThread {
            outcome.result = Result { try clients(path) }
            try? ends.fileHandleForWriting.close()
        }
        _ = try loop.run(afterEach: drain)
        withExtendedLifetime(watch) {}
        table = nil
        guard let result = outcome.result else { throw CancellationError() }
        return try result.get()
    }

    private func drain() {
        repeat {
            while !queue.events.isEmpty { handle(queue.events.removeFirst()) }
            table?.settle()
        } while !queue.events.isEmpty || table?.needsSettling ?? false
    }

    private func handle(_ event: ClientEvent) {
        switch event {
        case .call(let call, let caller):
            for effect in answer(call, caller.client) { perform(effect) }
        case .left: departures += 1
        case .fellBehind(let client, _): late.insert(client)
        case .caughtUp(let client, let sequence):
            for effect in answerCaughtUp(client, sequence) { perform(effect) }
        }
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .reply(let client, let message, let sequence): table?.reply(to: client, message, sequence: sequence)
        case .broadcast(let message, let sequence, let clients):
            table?.broadcast(message, sequence: sequence, to: Set(clients))
        }
    }
}

/// Written before the pipe closes, read after.
private nonisolated final class Outcome<Found: Sendable>: @unchecked Sendable {
    var result: Result<Found, any Error>?
}
