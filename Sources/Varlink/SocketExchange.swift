// SPDX-License-Identifier: Apache-2.0

// The steps that an owner does with a connection and its socket. They are no part of the state machines, which know no
// socket; they are here so that not every owner writes them again, and so that the compiler sees through them on the
// way of a change to a thousand subscribers.

extension ServerConnection {
    /// Writes what is unsent, as far as the socket takes it.
    ///
    /// - Returns: whether anything went.
    /// - Throws: ``SocketError``; close then.
    @discardableResult
    public mutating func write(to socket: borrowing StreamSocket) throws(SocketError) -> Bool {
        var hasWritten = false
        while !isCaughtUp {
            let count = try withUnsentBytes { (bytes) throws(SocketError) in try socket.send(bytes) }
            guard count > 0 else { break }
            didSend(count)
            hasWritten = true
        }
        return hasWritten
    }

    /// Reads once, as much as ``readCapacity`` and the buffer allow.
    ///
    /// - Parameters:
    ///   - socket: the connection's socket.
    ///   - buffer: room to read into, at least 1 byte; one for all connections of a thread will do.
    /// - Returns: whether there was something, if only the end; when not, wait until the socket is readable.
    /// - Throws: ``SocketError``; close then.
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

extension ClientConnection {
    /// Writes what is unsent, as far as the socket takes it.
    ///
    /// - Throws: ``SocketError``; close then, or read first what the service said before it closed.
    public mutating func write(to socket: borrowing StreamSocket) throws(SocketError) {
        while unsentBytes > 0 {
            let count = try withUnsentBytes { (bytes) throws(SocketError) in try socket.send(bytes) }
            guard count > 0 else { return }
            didSend(count)
        }
    }

    /// Reads once, as much as ``readCapacity`` and the buffer allow.
    ///
    /// - Parameters:
    ///   - socket: the connection's socket.
    ///   - buffer: room to read into, at least 1 byte.
    /// - Returns: whether there was something, if only the end; when not, wait until the socket is readable.
    /// - Throws: ``SocketError``; close then.
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
