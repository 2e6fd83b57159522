// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationClientCore
internal import OrientationWire
internal import Posix
internal import Varlink

/// A call of `Explain` to the agent of the session, or to the daemon, for `--list`.
enum InterfaceQuery {
    /// The timeout in milliseconds: the agent replies at once.
    private static let timeout = 2_000.0

    /// The reply, or why there is none.
    enum Outcome: Equatable {
        case reply(JSONObject)
        case failed(String)
    }

    /// Calls an agent. Fails if another process listens in this runtime directory, such as the agent of another session of
    /// this user, or if the agent does not reply.
    static func explain(in runtimeDirectory: String, agent process: Int32) -> Outcome {
        explain(at: SocketPath(agentIn: runtimeDirectory), process: process)
    }

    /// Calls the daemon; nil for its default socket.
    static func explain(daemon socket: String?) -> Outcome { explain(at: SocketPath(explicit: socket), process: nil) }

    private static func explain(at path: SocketPath, process: Int32?) -> Outcome {
        do {
            return try call(Call(SessionInterface.explain), at: path, of: process)
        } catch {
            return .failed(OrientationServiceError(error).reason)
        }
    }

    private static func call(_ call: Call, at path: SocketPath, of process: Int32?) throws -> Outcome {
        let socket = try path.connect()
        let peer = try socket.peerCredentials().process
        guard process == nil || peer == process else {
            let name = peer > 0 ? " (process \(peer))" : ""
            return .failed("\(path.current) belongs to the agent of another session\(name)")
        }
        var connection = ClientConnection()
        try connection.call(call)
        let deadline = MonotonicClock.now() + timeout / 1_000
        return try withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { buffer in
            while true {
                try write(&connection, to: socket)
                if let reply = try connection.nextReply() { return .reply(try reply.result.get()) }
                let left = (deadline - MonotonicClock.now()) * 1_000
                let events = connection.unsentBytes > 0 ? POLLIN | POLLOUT : POLLIN
                var watched = pollfd(fd: socket.descriptor, events: Int16(events), revents: 0)
                guard left > 0, poll(&watched, 1, Int32(left)) > 0 else {
                    throw OrientationServiceError.timedOut(after: .milliseconds(Int(timeout)))
                }
                _ = try connection.read(from: socket, using: buffer)
            }
        }
    }

    /// Ignores that the agent has closed the connection: its refusal is still read.
    private static func write(_ connection: inout ClientConnection, to socket: borrowing StreamSocket) throws {
        do throws(SocketError) {
            _ = try connection.write(to: socket)
        } catch {
            // Not a pattern of `catch`, which crashes Swift 6.3 here.
            if error != .peerGone { throw error }
        }
    }
}
