// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationWire
internal import Support
internal import Varlink

/// A call of `Explain` to the agent of the session, for `--list`.
nonisolated enum InterfaceQuery {
    /// The timeout in milliseconds: the agent replies at once.
    private static let timeout = 2_000.0

    /// Returns the reply of an agent; nil if another process listens in this runtime directory, such as the agent of
    /// another session of this user, or if the agent does not reply.
    static func explain(in runtimeDirectory: String, agent process: Int32) -> JSONObject? {
        try? call(Call(SessionInterface.explain), at: SessionInterface.socket(in: runtimeDirectory), of: process)
    }

    private static func call(_ call: Call, at path: String, of process: Int32) throws -> JSONObject? {
        let socket = try StreamSocket.connect(to: path)
        guard try socket.peerCredentials().process == process else { return nil }
        var connection = ClientConnection()
        try connection.call(call)
        let deadline = BootClock.now() + timeout / 1_000
        return try withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { buffer in
            while true {
                try connection.write(to: socket)
                if let reply = try connection.nextReply() { return try reply.result.get() }
                let left = (deadline - BootClock.now()) * 1_000
                let events = connection.unsentBytes > 0 ? POLLIN | POLLOUT : POLLIN
                var watched = pollfd(fd: socket.descriptor, events: Int16(events), revents: 0)
                guard left > 0, poll(&watched, 1, Int32(left)) > 0 else { return nil }
                _ = try connection.read(from: socket, using: buffer)
            }
        }
    }
}
