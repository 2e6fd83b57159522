// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Systemd
import TestServer
import Varlink

@testable import OrientationDaemon

/// A table of clients on a loop of its own; the clients of a test are in another thread.
final class Hall: ClientOwner {
    let directory: TemporaryDirectory
    let loop: EventLoop
    private(set) var table: ClientTable?
    private(set) var departures = 0
    /// How calls are answered; with their own parameters where a test says nothing else.
    var reply: (Call, ClientSession) -> Void = { $1.send(EncodedMessage(reply: $0.parameters)) }

    init(_ limits: Limits) throws {
        directory = try TemporaryDirectory()
        loop = try EventLoop()
        table = try ClientTable(
            listener: try ListeningSocket.bind(to: directory.socket, mode: 0o600), limits: limits, loop: loop,
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, owner: self)
    }

    /// Serves until the clients have done, and gives what they found.
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
        _ = try loop.run()
        withExtendedLifetime(watch) {}
        // It holds on to its owner, which is this.
        table = nil
        guard let result = outcome.result else { throw CancellationError() }
        return try result.get()
    }

    func answer(_ call: Call, _ session: ClientSession) { reply(call, session) }
    func hasWritten(to session: ClientSession) {}
    func hasLeft(_ session: ClientSession) { departures += 1 }
}

/// Written before the pipe closes, read after.
private nonisolated final class Outcome<Found: Sendable>: @unchecked Sendable {
    var result: Result<Found, any Error>?
}
