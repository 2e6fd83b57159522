// SPDX-License-Identifier: Apache-2.0

/// One end of a connection without I/O: a ``ServerConnection`` or a ``ClientConnection``.
///
/// An extension implements the exchange with a socket: ``write(to:)`` and ``read(from:using:)``.
public protocol ConnectionEnd {
    /// The number of bytes that the owner may read now; 0 while enough is queued, and after the end.
    var readCapacity: Int { get }
    /// Adds received bytes, at most ``readCapacity``.
    mutating func receive(_ bytes: UnsafeRawBufferPointer)
    /// Records the end of the stream.
    mutating func receiveEnd()
    /// The number of bytes that are queued for writing.
    var unsentBytes: Int { get }
    /// Passes the next bytes to write to `body`; an empty buffer if none are queued.
    func withUnsentBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result
    /// Removes the first `count` bytes of ``withUnsentBytes(_:)`` from the queue, after they were written.
    mutating func didSend(_ count: Int)
}

extension ServerConnection: ConnectionEnd {}
extension ClientConnection: ConnectionEnd {}

extension ConnectionEnd {
    /// Writes the unsent bytes until the socket is full.
    ///
    /// - Returns: whether any byte was written.
    /// - Throws: ``SocketError``; then close. A client first reads the replies that the service sent before closing.
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
