// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import OrientationClientCore
internal import Varlink

/// A socket to the daemon with the dispatch sources that watch it; used on the shared queue.
///
/// The owner calls ``read(into:)`` and ``write(_:)`` with its connection when `onReadable` and `onWritable` report
/// readiness. Closes in `deinit`.
final class Channel {
    private let socket: SocketOwner
    private let readSource: any DispatchSourceRead
    private var writeSource: (any DispatchSourceWrite)?
    private let onReadable: @Sendable () -> Void
    private let onWritable: @Sendable () -> Void
    private var isReading = true

    /// Connects.
    ///
    /// - Parameters:
    ///   - path: the path of the daemon's socket.
    ///   - onReadable: called on the queue when the socket is readable.
    ///   - onWritable: called on the queue when the socket is writable again.
    /// - Throws: `SocketError`; `OrientationServiceError` if the service belongs to an untrusted user.
    init(
        to path: SocketPath, onReadable: @escaping @Sendable () -> Void, onWritable: @escaping @Sendable () -> Void
    ) throws {
        let owner = SocketOwner(try path.connect())
        socket = owner
        self.onReadable = onReadable
        self.onWritable = onWritable
        readSource = DispatchSource.makeReadSource(
            fileDescriptor: owner.descriptor, queue: QueueExecutor.shared.queue)
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
    func write(_ connection: inout some ConnectionEnd) throws(SocketError) {
        if try !socket.write(&connection) {
            writeSource?.cancel()
            writeSource = nil
        } else if writeSource == nil {
            watchWritability()
        }
    }

    /// Reads once.
    func read(into connection: inout some ConnectionEnd) throws(SocketError) {
        try socket.read(into: &connection)
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
            fileDescriptor: owner.descriptor, queue: QueueExecutor.shared.queue)
        source.setEventHandler(handler: onWritable)
        source.setCancelHandler { withExtendedLifetime(owner) {} }
        source.resume()
        writeSource = source
    }
}
