// SPDX-License-Identifier: Apache-2.0

internal import CLibrary
internal import Glibc
internal import OrientationModel
package import Varlink

/// A program that serves Varlink, and where: nil for the place that the environment names.
package enum ServicePlace: Hashable, Sendable {
    case daemon(socketPath: String?)
    case agent(runtimeDirectory: String?)

    fileprivate var service: orientation_service {
        if case .daemon = self { ORIENTATION_DAEMON } else { ORIENTATION_AGENT }
    }

    fileprivate var place: String? {
        switch self {
        case .daemon(let place), .agent(let place): place
        }
    }

    /// The path of the socket, and whether it is that of the system's daemon: now, since sockets appear and disappear.
    package var socket: (path: String, isSystem: Bool) {
        var path = sockaddr_un().sun_path
        let isSystem = withUnsafeMutableBytes(of: &path) { bytes in
            Library.withText(place) {
                orientation_socket_path(service, $0, bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
            }
        }
        return (Library.text(of: path), isSystem)
    }
}

/// A call to the daemon or the session agent on a connection of its own, and its replies: for any main loop.
///
/// The first ``next()`` connects. Releasing the object closes the connection.
package final class ServiceCall {
    private let call: OpaquePointer
    private let timeout: Duration?
    /// Whether the last reply has been returned.
    package private(set) var hasEnded = false

    /// Creates a call without connecting; the timeout is that of the first reply.
    package init(_ call: Call, to place: ServicePlace, timeout: Duration?) throws(OrientationServiceError) {
        self.timeout = timeout
        let milliseconds = timeout.map { max(1, Int32(clamping: $0.milliseconds)) } ?? 0
        self.call = try Library.open(place.place) { path, handle in
            EncodedMessage(call: call).withBytes { bytes in
                orientation_call_open(
                    place.service, path, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), milliseconds, &handle)
            }
        }
    }

    deinit {
        orientation_call_close(call)
    }

    /// The descriptor to watch for reading.
    package var fileDescriptor: Int32 { orientation_call_fd(call) }

    /// The process that serves the connection; 0 before it is connected.
    package var process: Int32 { orientation_call_process_id(call) }

    /// Returns the next reply; nil if there is none yet, and after the last one.
    ///
    /// - Throws: the error of the reply or of the connection, once.
    package func next() throws(OrientationServiceError) -> JSONObject? {
        guard !hasEnded else { return nil }
        var text: UnsafePointer<CChar>?
        var length = 0
        let result = orientation_call_next(call, &text, &length)
        guard result != 0 else { return nil }
        hasEnded = true
        guard result > 0 else {
            throw OrientationServiceError(orientation_call_failure(call).pointee, timeout: timeout ?? .zero)
        }
        do {
            let reply = try Library.reply(text, length)
            hasEnded = !reply.continues
            return try reply.result.get()
        } catch {
            throw OrientationServiceError(error)
        }
    }

    /// Waits for the next reply.
    package func wait() throws(OrientationServiceError) -> JSONObject {
        while true {
            if let reply = try next() { return reply }
            var descriptor = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
            poll(&descriptor, 1, -1)
        }
    }
}

extension Duration {
    /// Rounded up; saturates.
    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        guard seconds < Int64(Int32.max) else { return .max }
        return seconds * 1_000 + (attoseconds + perMillisecond - 1) / perMillisecond
    }
}
