// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Varlink

/// A connection to the daemon with the dispatch sources that watch it; used on the shared queue.
///
/// The owner calls ``read()`` and ``write()`` when `onReadable` and `onWritable` report readiness. Closes in `deinit`.
final class Channel {
    private let socket: SocketOwner
    private var connection: ClientConnection
    private let readSource: any DispatchSourceRead
    private var writeSource: (any DispatchSourceWrite)?
    private let onReadable: @Sendable () -> Void
    private let onWritable: @Sendable () -> Void
    private var isReading = true

    /// The maximum size of a reply, in bytes. Larger than the daemon's limit on calls: the daemon is trusted, and a
    /// list of sensors can be long.
    static let maximumReplyBytes = 1 << 20

    /// Connects and queues a call.
    ///
    /// - Parameters:
    ///   - path: the path of the daemon's socket.
    ///   - call: the only call of this connection.
    ///   - onReadable: called on the queue when the socket is readable.
    ///   - onWritable: called on the queue when the socket is writable again.
    /// - Throws: `SocketError`; `OrientationServiceError` if the service belongs to an untrusted user;
    ///   `ClientConnection.CallError` if the call is too large.
    init(
        to path: SocketPath, call: Call, onReadable: @escaping @Sendable () -> Void,
        onWritable: @escaping @Sendable () -> Void
    ) throws {
        var limits = Limits()
        limits.messageBytes = Self.maximumReplyBytes
        connection = ClientConnection(limits: limits)
        try connection.call(call)
        let owner = SocketOwner(try path.connect())
        socket = owner
        self.onReadable = onReadable
        self.onWritable = onWritable
        readSource = DispatchSource.makeReadSource(
            fileDescriptor: owner.socket.descriptor, queue: QueueExecutor.shared.queue)
        readSource.setEventHandler(handler: onReadable)
        // The descriptor must stay open until the source is cancelled.
        readSource.setCancelHandler { withExtendedLifetime(owner) {} }
        readSource.resume()
    }

    deinit {
        // Dispatch does not permit the release of a suspended source.
        if !isReading { readSource.resume() }
        readSource.cancel()
        writeSource?.cancel()
    }

    /// Writes the unsent bytes, and watches for writability if some remain.
    func write() throws(SocketError) {
        do {
            try connection.write(to: socket.socket)
        } catch .peerGone {
            // The daemon may have sent a reply before it closed: reading returns it, then the end of the stream.
            return
        }
        if connection.unsentBytes == 0 {
            writeSource?.cancel()
            writeSource = nil
        } else if writeSource == nil {
            watchWritability()
        }
    }

    /// Reads once; ``nextReply()`` returns the replies.
    func read() throws(SocketError) {
        _ = try withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 1) { (buffer) throws(SocketError) in
            try connection.read(from: socket.socket, using: buffer)
        }
    }

    /// Returns the next complete reply; nil if there is none.
    func nextReply() throws(ClientConnection.Violation) -> ClientConnection.Reply? {
        try connection.nextReply()
    }

    /// Enables or disables reading. While it is disabled, the socket fills and the daemon skips to the newest state.
    func setReading(_ on: Bool) {
        guard on != isReading else { return }
        isReading = on
        guard on else { return readSource.suspend() }
        readSource.resume()
        // Under load a source may not report a peer that disconnected while it was suspended: check once.
        QueueExecutor.shared.queue.async(execute: onReadable)
    }

    private func watchWritability() {
        let owner = socket
        let source = DispatchSource.makeWriteSource(
            fileDescriptor: owner.socket.descriptor, queue: QueueExecutor.shared.queue)
        source.setEventHandler(handler: onWritable)
        source.setCancelHandler { withExtendedLifetime(owner) {} }
        source.resume()
        writeSource = source
    }
}

/// The shared owner of a socket: the channel and its sources keep it open until the last of them is released.
private final class SocketOwner: Sendable {
    let socket: StreamSocket

    init(_ socket: consuming StreamSocket) {
        self.socket = socket
    }
}
