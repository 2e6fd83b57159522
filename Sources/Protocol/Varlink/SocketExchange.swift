// SPDX-License-Identifier: Apache-2.0

extension ServerConnection {
    /// Writes the unsent bytes until the socket is full.
    ///
    /// - Returns: whether any byte was written.
    /// - Throws: ``SocketError``; then close.
    @discardableResult
    public mutating func write(to socket: borrowing StreamSocket) throws(SocketError) -> Bool {
        var hasWritten = false
        while unsentBytes > 0 {
            let count = try withUnsentBytes { (bytes) throws(SocketError) in try socket.send(bytes) }
            guard count > 0 else { break }
            didSend(count)
            hasWritten = true
        }
        return hasWritten
    }

    /// Reads once, as much as ``readCapacity`` and the buffer permit.
    ///
    /// - Parameters:
    ///   - socket: the connection's socket.
    ///   - buffer: a buffer of at least 1 byte, which all connections of a thread may share.
    /// - Returns: whether bytes or the end of the stream were read; if false, wait until the socket is readable.
    /// - Throws: ``SocketError``; then close.
    public mutating func read(
        from socket: borrowing StreamSocket, using buffer: UnsafeMutableRawBufferPointer
    ) throws(SocketError) -> Bool {
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, readCapacity)])
        switch try socket.receive(into: room) {
        case .bytes(let count): receive(UnsafeRawBufferPointer(rebasing: room[..<count]))
        case .end: receiveEnd()
        case .nothing: return false
        }
        return true
    }
}
