// SPDX-License-Identifier: Apache-2.0

internal import CLibrary
internal import Glibc
internal import OrientationModel
internal import Posix
internal import Varlink

/// A handle of the library for C, and the updates that it reports.
final class LibraryHandle {
    private(set) var pointer: OpaquePointer?
    private let timeout: Duration
    private var updates: [LibraryUpdate] = []

    /// Creates a handle without connecting. `place` is the path of the daemon's socket, or the runtime directory of the agent;
    /// `call` is a call to make, with the timeout of the setup.
    init(at place: String?, _ setup: orientation_setup, call: Call? = nil) throws(OrientationServiceError) {
        timeout = call == nil ? OrientationConnection.stateTimeout : .milliseconds(setup.timeout)
        var setup = setup
        setup.context = Unmanaged.passUnretained(self).toOpaque()
        setup.update = { context, update in
            guard let context, let update = update?.pointee else { return }
            let handle = Unmanaged<LibraryHandle>.fromOpaque(context).takeUnretainedValue()
            handle.updates.append(LibraryUpdate(update, timeout: handle.timeout))
        }
        let text = call.map { String(decoding: EncodedMessage(call: $0).bytes.dropLast(), as: UTF8.self) }
        let hasNUL = place?.utf8.contains(0) ?? false
        let result = Library.withText(place) { place in
            Library.withText(text) { text in
                (setup.socket, setup.call) = (place, text)
                return hasNUL ? -EINVAL : orientation_open_with(&setup, &pointer)
            }
        }
        if result == 0 { return }
        guard let place, result == -EINVAL else {
            throw .notConnected(reason: "cannot open a connection: \(Errno(-result))")
        }
        let longest = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        throw .unusablePath(
            reason: "invalid socket path '\(place)': must have 1 to \(longest) bytes\(hasNUL ? " without a NUL" : "")")
    }

    deinit {
        orientation_close(pointer)
    }

    var fileDescriptor: Int32 { orientation_fd(pointer) }

    /// Does what is possible without waiting; returns what happened.
    func process() -> [LibraryUpdate] {
        _ = orientation_process(pointer)
        defer { updates = [] }
        return updates
    }

    /// Waits until there is something to process.
    func wait() {
        var descriptor = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        poll(&descriptor, 1, -1)
    }
}

/// What happened to a handle.
struct LibraryUpdate {
    let isByAgent: Bool
    /// The process that serves the connection; 0 before it is connected.
    let process: Int32
    /// A reply that is no error; beside `error`, one that the library has refused.
    private(set) var reply: JSONObject?
    /// Whether more replies follow.
    private(set) var continues = false
    /// A state of iio-sensor-proxy.
    private(set) var state: OrientationState?
    /// Why the service does not serve.
    private(set) var error: OrientationServiceError?
    /// The error for the user, with the names of the services that were tried; nil if it is that of a reply.
    private(set) var reason: String?
    private(set) var errno: Int32 = 0

    fileprivate init(_ update: orientation_update, timeout: Duration) {
        (isByAgent, process) = (update.service == ORIENTATION_AGENT, update.process)
        state = (update.state?.pointee).map { OrientationState($0) }
        if let failure = update.failure?.pointee {
            error = OrientationServiceError(failure, timeout: timeout)
            reason = Library.text(of: failure.reason)
            errno = failure.error
        }
        guard let text = update.reply else { return }
        do {
            let parsed = try Reply(parsing: UnsafeRawBufferPointer(start: text, count: update.length))
            reply = try parsed.result.get()
            continues = parsed.continues
        } catch {
            (self.error, reason) = (OrientationServiceError(error), nil)
        }
    }
}

/// Conversions between the library for C and Swift.
enum Library {
    /// Passes a text, or null, with a NUL at its end.
    static func withText<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
        guard let text else { return body(nil) }
        return text.withCString { body($0) }
    }

    /// Returns the text of an array of characters.
    static func text<Characters>(of characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

extension OrientationState {
    /// Converts a state of iio-sensor-proxy.
    fileprivate init(_ state: orientation_state) {
        // The library's edges count from 1; 0 is unknown.
        self.init(
            orientation: DeviceOrientation(rawValue: Int(state.pose.rawValue)) ?? .unknown,
            lastPanelEdge: PanelEdge(rawValue: Int(state.edge.rawValue) - 1), sequence: Int(state.sequence),
            instance: "net.hadess.SensorProxy", reason: Library.text(of: state.reason))
        hasSensorFailed = state.failed == 1
    }
}
