// SPDX-License-Identifier: Apache-2.0

internal import CXCB
internal import CPosix
internal import Glibc
internal import Support
internal import Systemd

/// A failure of the X server.
enum X11Failure: Error, Hashable {
    /// The server refused a request: the name of the error.
    case refused(String)
    /// The server closed the connection: the reason.
    case closed(String)
    /// The connection cannot be used any more although the server may run: the reason.
    case lost(String)

    /// The event that ends the server.
    var lastEvent: DisplayEvent { if case .closed(let reason) = self { .ended(reason) } else { .lost("\(self)") } }
}

extension X11Failure: CustomStringConvertible {
    var description: String {
        switch self {
        case .refused(let name): "request refused: \(name)"
        case .closed(let reason), .lost(let reason): reason
        }
    }
}

/// A connection to an X server; releasing it closes it.
///
/// The server is on this machine: replies are awaited, each at most ``replyTimeout`` seconds.
final class X11Connection {
    let handle: OpaquePointer
    /// The root window of the screen.
    let root: xcb_window_t
    /// The size of the screen when the connection was made: in pixels, and in millimeters.
    let firstSize: (pixels: LayoutSize, millimeters: LayoutSize)

    /// The timeout of the connection in seconds.
    private static let connectionTimeout = 5.0
    /// The timeout of a reply in seconds. Changing a mode takes up to 2 seconds on slow panels, and another client may have
    /// grabbed the server for a moment.
    var replyTimeout = 10.0

    /// Connects to a display such as `:0`.
    convenience init(to display: String, on loop: EventLoop) throws(DisplayServerError) {
        // libxcb waits for the server without a limit: if the server hangs, only this other thread blocks.
        let call: BackgroundCall<Handle>
        do throws(SystemError) {
            call = try BackgroundCall(on: loop) {
                Handle(xcb_connect(display, nil))
            } done: { _ in
            }
        } catch {
            throw DisplayServerError("X server \(display): \(error)")
        }
        guard let found = call.result(within: Self.connectionTimeout) else {
            throw DisplayServerError("X server \(display): cannot connect: timed out")
        }
        guard let handle = found.pointer else { throw DisplayServerError("X server \(display): cannot connect") }
        if let reason = Self.failure(of: handle) {
            xcb_disconnect(handle)
            throw DisplayServerError("X server \(display): cannot connect: \(reason)")
        }
        try self.init(owning: handle, display)
    }

    private init(owning handle: OpaquePointer, _ display: String) throws(DisplayServerError) {
        self.handle = handle
        // The first screen: servers with several are from before RandR 1.2.
        guard let screen = xcb_setup_roots_iterator(xcb_get_setup(handle)).data?.pointee else {
            throw DisplayServerError("X server \(display): it has no screen")
        }
        root = screen.root
        firstSize = (
            LayoutSize(width: Int(screen.width_in_pixels), height: Int(screen.height_in_pixels)),
            LayoutSize(width: Int(screen.width_in_millimeters), height: Int(screen.height_in_millimeters))
        )
    }

    deinit {
        xcb_disconnect(handle)
    }

    /// A connection, between threads.
    private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer?
        init(_ pointer: OpaquePointer?) { self.pointer = pointer }
    }

    /// The descriptor, for the event loop.
    var descriptor: Int32 { xcb_get_file_descriptor(handle) }

    /// Why the connection cannot be used any more; nil if it can.
    var failure: X11Failure? { Self.failure(of: handle) }

    private static func failure(of handle: OpaquePointer) -> X11Failure? {
        switch xcb_connection_has_error(handle) {
        case 0: nil
        case XCB_CONN_CLOSED_EXT_NOTSUPPORTED: .lost("an extension is not supported")
        case XCB_CONN_CLOSED_MEM_INSUFFICIENT: .lost("out of memory")
        case XCB_CONN_CLOSED_PARSE_ERR: .lost("invalid value of DISPLAY")
        case XCB_CONN_CLOSED_INVALID_SCREEN: .lost("no such screen")
        default: .closed("the server is not running, refused the connection, or closed it")
        }
    }

    /// Passes each event that has arrived to `handler`, without waiting.
    func receiveEvents(_ handler: (UnsafePointer<xcb_generic_event_t>) -> Void) {
        while let event = xcb_poll_for_event(handle) {
            handler(event)
            free(event)
        }
    }

    /// Sends what is buffered.
    func flush() { xcb_flush(handle) }

    /// Waits for the reply to a request, and passes it to `body`; the pointer is valid in `body` only.
    func reply<Reply, Result>(
        to sequence: UInt32, _: Reply.Type, _ body: (UnsafePointer<Reply>) -> Result
    ) throws(X11Failure) -> Result {
        guard let reply = try wait(for: sequence) else { throw .refused("no reply") }
        defer { free(reply) }
        return body(UnsafePointer(reply.assumingMemoryBound(to: Reply.self)))
    }

    /// Waits until requests without a reply, sent with `_checked`, were handled.
    func check(_ cookies: [xcb_void_cookie_t]) throws(X11Failure) {
        // The reply to a later request shows that these are handled.
        let last = xcb_get_input_focus(handle).sequence
        if let reply = try wait(for: last) { free(reply) }
        var failure: X11Failure?
        for cookie in cookies {
            do throws(X11Failure) { _ = try wait(for: cookie.sequence) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// Waits for a reply; throws the error of the request instead. Nil for a request without a reply.
    private func wait(for sequence: UInt32) throws(X11Failure) -> UnsafeMutableRawPointer? {
        xcb_flush(handle)
        let deadline = MonotonicClock.now() + replyTimeout
        while true {
            var reply: UnsafeMutableRawPointer?
            var error: UnsafeMutablePointer<xcb_generic_error_t>?
            if xcb_poll_for_reply(handle, sequence, &reply, &error) != 0 {
                if let error {
                    defer { free(error) }
                    throw .refused(name(of: error.pointee.error_code))
                }
                if let failure { throw failure }
                return reply
            }
            if let failure { throw failure }
            let left = deadline - MonotonicClock.now()
            guard left > 0 else { throw .lost("the server does not reply") }
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            poll(&watched, 1, Int32(left * 1_000) + 1)
        }
    }

    /// The name of an error in the protocol.
    private func name(of code: UInt8) -> String {
        switch code {
        case 1: "BadRequest"
        case 2: "BadValue"
        case 3: "BadWindow"
        case 5: "BadAtom"
        case 8: "BadMatch"
        case 9: "BadDrawable"
        case 10: "BadAccess"
        case 11: "BadAlloc"
        case 16: "BadLength"
        case 17: "BadImplementation"
        default: randrName(of: code) ?? "error \(code)"
        }
    }

    /// The name of an error of RandR; nil for one of another extension.
    private func randrName(of code: UInt8) -> String? {
        guard let randr = cxcb_randr(handle)?.pointee, randr.present != 0, code >= randr.first_error else { return nil }
        let names = ["BadOutput", "BadCrtc", "BadMode", "BadProvider"]
        let index = Int(code - randr.first_error)
        return index < names.count ? names[index] : nil
    }
}

extension X11Connection {
    /// Returns the atom of a name.
    func atom(_ name: String) throws(X11Failure) -> xcb_atom_t {
        let cookie = xcb_intern_atom(handle, 0, UInt16(name.utf8.count), name)
        return try reply(to: cookie.sequence, xcb_intern_atom_reply_t.self) { $0.pointee.atom }
    }

    /// Whether the server has an extension.
    func hasExtension(_ name: String) throws(X11Failure) -> Bool {
        let cookie = xcb_query_extension(handle, UInt16(name.utf8.count), name)
        return try reply(to: cookie.sequence, xcb_query_extension_reply_t.self) { $0.pointee.present != 0 }
    }
}
