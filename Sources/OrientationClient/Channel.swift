// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Varlink

/// A connection to the daemon and the dispatch sources that watch it; lives on the shared queue.
///
/// It closes when it goes. Its owner is told that the socket is readable or writable and calls ``read()`` or
/// ``write()``.
final class Channel {
    private let socket: SocketOwner
    private var connection: ClientConnection
    private let readSource: any DispatchSourceRead
    private var writeSource: (any DispatchSourceWrite)?
    private let onReadable: @Sendable () -> Void
    private let onWritable: @Sendable () -> Void
    private var isReading = true

    /// How long a reply may be, in bytes. More than a service takes of a call: it comes from a daemon that the user trusts
    /// more than it trusts us, and a list of sensors may be long.
    static let longestReply = 1 << 20

    /// Connects, and queues a call.
    ///
    /// - Parameters:
    ///   - path: where the daemon's socket is looked for.
    ///   - call: the first and only call.
    ///   - onReadable: called on the queue when there is something to read.
    ///   - onWritable: called on the queue when there is room to write again.
    /// - Throws: `SocketError`, `OrientationServiceError` for a service of the wrong user, and `ClientConnection.CallError`
    ///   for a call that is too large.
    init(
        to path: SocketPath, call: Call, onReadable: @escaping @Sendable () -> Void,
        onWritable: @escaping @Sendable () -> Void
    ) throws {
        var limits = Limits()
        limits.messageBytes = Self.longestReply
        connection = ClientConnection(limits: limits)
        try connection.call(call)
        let owner = SocketOwner(try path.connect())
        socket = owner
        self.onReadable = onReadable
        self.onWritable = onWritable
        readSource = DispatchSource.makeReadSource(
            fileDescriptor: owner.socket.descriptor, queue: QueueExecutor.shared.queue)
        readSource.setEventHandler(handler: onReadable)
        // The descriptor must stay open until the source has let go of it.
        readSource.setCancelHandler { withExtendedLifetime(owner) {} }
        readSource.resume()
    }

    deinit {
        // A suspended source may not be released.
        if !isReading { readSource.resume() }
        readSource.cancel()
        writeSource?.cancel()
    }

    /// Writes what is unsent, as far as it goes, and watches for room if something is left.
    func write() throws(SocketError) {
        do {
            try connection.write(to: socket.socket)
        } catch .peerGone {
            // The daemon may have said why before it closed; reading finds out, and then the end.
            return
        }
        if connection.unsentBytes == 0 {
            writeSource?.cancel()
            writeSource = nil
        } else if writeSource == nil {
            watchForRoom()
        }
    }

    /// Reads once; its replies are then there for ``nextReply()``.
    func read() throws(SocketError) {
        _ = try withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 1) { (buffer) throws(SocketError) in
            try connection.read(from: socket.socket, using: buffer)
        }
    }

    /// The next reply that was read; nil where none is complete.
    func nextReply() throws(ClientConnection.Violation) -> ClientConnection.Reply? {
        try connection.nextReply()
    }

    /// Whether to watch for something to read. While it is off, the daemon notices that nobody reads, and skips to the
    /// newest state.
    func setReading(_ on: Bool) {
        guard on != isReading else { return }
        isReading = on
        guard on else { return readSource.suspend() }
        readSource.resume()
        // On a busy machine a source does not tell of a peer that went while it was suspended: that is looked for here.
        QueueExecutor.shared.queue.async(execute: onReadable)
    }

    private func watchForRoom() {
        let owner = socket
        let source = DispatchSource.makeWriteSource(
            fileDescriptor: owner.socket.descriptor, queue: QueueExecutor.shared.queue)
        source.setEventHandler(handler: onWritable)
        source.setCancelHandler { withExtendedLifetime(owner) {} }
        source.resume()
        writeSource = source
    }
}

/// Shares a socket between a channel and the sources that watch it; it is closed when the last of them is done.
private final class SocketOwner: Sendable {
    let socket: StreamSocket

    init(_ socket: consuming StreamSocket) {
        self.socket = socket
    }
}
