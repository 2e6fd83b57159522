// SPDX-License-Identifier: Apache-2.0

internal import CLibrary
internal import Glibc
internal import OrientationModel
package import Varlink

/// A service, and where: nil for the place that the environment names.
package enum ServicePlace: Hashable, Sendable {
    /// orientationd; its states also of iio-sensor-proxy, unless `$ORIENTATION_BACKEND` chooses one.
    case any(socketPath: String?)
    /// orientationd: iio-sensor-proxy has no rotation lock and no tablet mode.
    case daemon(socketPath: String?)
    case agent(runtimeDirectory: String?)

    var isDaemonOnly: Bool { if case .daemon = self { true } else { false } }

    fileprivate var service: orientation_service {
        if case .agent = self { ORIENTATION_AGENT } else { ORIENTATION_DAEMON }
    }

    var place: String? {
        switch self {
        case .any(let place), .daemon(let place), .agent(let place): place
        }
    }

    /// The path of the socket, and whether it is that of the system's daemon: now, since sockets appear and disappear.
    package var socket: (path: String, isSystem: Bool) {
        var path = [CChar](repeating: 0, count: MemoryLayout.size(ofValue: sockaddr_un().sun_path))
        let isSystem = Library.withText(place) { orientation_socket_path(service, $0, &path) }
        return (path.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }, isSystem)
    }
}

/// A call to the daemon or the session agent on a connection of its own, and its replies: for any main loop.
///
/// The first ``next()`` connects. Releasing the object closes the connection.
package final class ServiceCall {
    private let handle: LibraryHandle
    /// Whether the last reply has been returned.
    package private(set) var hasEnded = false
    /// The process that serves the connection; 0 before it is connected.
    package private(set) var process: Int32 = 0

    /// Creates a call without connecting; the timeout is that of the first reply.
    package init(_ call: Call, to place: ServicePlace, timeout: Duration?) throws(OrientationServiceError) {
        var setup = orientation_setup()
        setup.service = place.service
        setup.timeout = timeout.map { Int32(min(max(1, ($0 / .milliseconds(1)).rounded(.up)), 2e9)) } ?? 0
        handle = try LibraryHandle(at: place.place, setup, call: call)
    }

    /// The descriptor to watch for reading.
    package var fileDescriptor: Int32 { handle.fileDescriptor }

    /// Returns the next reply; nil if there is none yet, and after the last one.
    ///
    /// - Throws: the error of the reply or of the connection, once.
    package func next() throws(OrientationServiceError) -> JSONObject? {
        guard !hasEnded, let update = handle.process().first else { return nil }
        (process, hasEnded) = (update.process, !update.continues)
        if let error = update.error { throw error }
        return update.reply
    }

    /// Waits for the next reply.
    package func wait() throws(OrientationServiceError) -> JSONObject {
        while true {
            if let reply = try next() { return reply }
            handle.wait()
        }
    }
}
