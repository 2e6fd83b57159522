// SPDX-License-Identifier: Apache-2.0

package import Varlink

/// A socket as an object, which several owners can keep open: closes it in `deinit`.
package final class SocketOwner: Sendable {
    private let socket: StreamSocket

    package init(_ socket: consuming StreamSocket) {
        self.socket = socket
    }

    /// The descriptor, for an event loop to watch.
    package var descriptor: Int32 { socket.descriptor }

    /// Writes the unsent bytes until the socket is full; returns whether to continue once it is writable.
    package func write(_ connection: inout some ConnectionEnd) throws(SocketError) -> Bool {
        do {
            try connection.write(to: socket)
        } catch .peerGone {
            // The daemon may have sent a reply before it closed: reading returns it, then the end of the stream.
            return false
        }
        return connection.unsentBytes > 0
    }

    /// Reads once, at most 16 KiB.
    package func read(into connection: inout some ConnectionEnd) throws(SocketError) {
        // In Swift 6.2 this function has no typed throws.
        let result = withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 1) { buffer in
            Result { () throws(SocketError) in try connection.read(from: socket, using: buffer) }
        }
        _ = try result.get()
    }
}
