// SPDX-License-Identifier: Apache-2.0

/// One end of a connection as a value: a ``ServerConnection`` or a ``ClientConnection``.
///
/// It knows no socket. What follows from these few members, the steps that an owner does with a connection and its
/// socket, is here so that not every owner writes it again.
public protocol ConnectionEnd {
    /// How many bytes the owner may read now; 0 while enough is waiting, or when no more will be read.
    var readCapacity: Int { get }
    /// Takes in bytes that were read, at most ``readCapacity``.
    mutating func receive(_ bytes: UnsafeRawBufferPointer)
    /// Takes in that the peer will send nothing more.
    mutating func receiveEnd()
    /// How many bytes wait to be written.
    var unsentBytes: Int { get }
    /// Gives the bytes to write next; none when all were written.
    func withUnsentBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result
    /// Takes note that the first `count` of the bytes that ``withUnsentBytes(_:)`` gave were written.
    mutating func didSend(_ count: Int)
}

extension ServerConnection: ConnectionEnd {}
extension ClientConnection: ConnectionEnd {}

extension ConnectionEnd {
    /// Writes what is unsent, as far as the socket takes it.
    ///
    /// - Returns: whether anything went.
    /// - Throws: ``SocketError``; close then. A client reads first what the service said before it closed.
    @discardableResult
    @inlinable public mutating func write(to socket: borrowing StreamSocket) throws(SocketError) -> Bool {
        var hasWritten = false
        while unsentBytes > 0 {
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
    @inlinable public mutating func read(
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

extension ServerConnection {
    /// Answers the call in progress as ``send(_:)`` does, and writes the answer at once where nothing waits before it: the
    /// short way of one change to a thousand subscribers, on which the message is not queued. One that ``send(_:)`` would
    /// not take is left out.
    ///
    /// - Returns: whether all is written.
    /// - Throws: ``SocketError``; close then.
    public mutating func send(
        _ message: EncodedMessage, at socket: borrowing StreamSocket
    ) throws(SocketError) -> Bool {
        guard isCaughtUp else {
            try? send(message)
            return false
        }
        guard (try? accept(message)) ?? false else { return true }
        let count = try message.withBytes { (bytes) throws(SocketError) in try socket.send(bytes) }
        guard count < message.byteCount else { return true }
        queue(message, written: count)
        return false
    }
}
