// SPDX-License-Identifier: Apache-2.0

internal import CXCB
internal import Glibc

enum X11Failure: Error, Hashable, CustomStringConvertible {
    /// The server refused a request: the name of the error.
    case refused(String)
    /// The connection cannot be used any more: the reason.
    case ended(String)

    var description: String {
        switch self {
        case .refused(let name): "request refused: \(name)"
        case .ended(let reason): reason
        }
    }
}

/// A connection to an X server; releasing it closes it. All members may block without a limit: libxcb does, while the server
/// does not read, and while a part of a reply is missing.
final class X11Connection {
    let handle: OpaquePointer
    let root: xcb_window_t
    /// The size of the screen when the connection was made: in pixels, and in millimeters.
    let firstSize: (pixels: LayoutSize, millimeters: LayoutSize)
    private let exchange: X11Exchange?

    /// Connects to a display such as `:0`. ``X11Exchange/stop()`` closes the connection, from any thread.
    init(to display: String, stoppedBy exchange: X11Exchange? = nil) throws(X11Failure) {
        guard let handle = xcb_connect(display, nil) else { throw .ended("cannot connect: out of memory") }
        do throws(X11Failure) {
            if let failure = Self.failure(of: handle) { throw .ended("cannot connect: \(failure)") }
            guard let screen = Self.firstScreen(of: handle) else { throw .ended("it has no screen") }
            guard exchange?.connected(xcb_get_file_descriptor(handle)) ?? true else { throw .ended("stopped") }
            self.handle = handle
            self.exchange = exchange
            root = screen.root
            firstSize = (
                LayoutSize(width: Int(screen.width_in_pixels), height: Int(screen.height_in_pixels)),
                LayoutSize(width: Int(screen.width_in_millimeters), height: Int(screen.height_in_millimeters))
            )
        } catch {
            xcb_disconnect(handle)
            throw error
        }
    }

    deinit {
        exchange?.disconnecting()
        xcb_disconnect(handle)
    }

    /// The first screen: servers with several are from before RandR 1.2. Nil if the server's description has none.
    private static func firstScreen(of handle: OpaquePointer) -> xcb_screen_t? {
        guard let setup = xcb_get_setup(handle) else { return nil }
        // The length counts words after the first 8 bytes.
        var reader = X11Reader(UnsafeRawBufferPointer(start: setup, count: 8 + Int(setup.pointee.length) * 4))
        guard let fixed = reader.read(xcb_setup_t.self), fixed.roots_len > 0,
            reader.skip((Int(fixed.vendor_len) + 3) / 4 * 4),
            reader.skip(Int(fixed.pixmap_formats_len) * MemoryLayout<xcb_format_t>.size)
        else { return nil }
        return reader.read(xcb_screen_t.self)
    }

    /// The descriptor, for poll(2).
    var descriptor: Int32 { xcb_get_file_descriptor(handle) }

    /// Why the connection cannot be used any more; nil if it can.
    var failure: X11Failure? { Self.failure(of: handle) }

    private static func failure(of handle: OpaquePointer) -> X11Failure? {
        switch xcb_connection_has_error(handle) {
        case 0: nil
        case XCB_CONN_CLOSED_EXT_NOTSUPPORTED: .ended("an extension is not supported")
        case XCB_CONN_CLOSED_MEM_INSUFFICIENT: .ended("out of memory")
        case XCB_CONN_CLOSED_PARSE_ERR: .ended("invalid value of DISPLAY")
        case XCB_CONN_CLOSED_INVALID_SCREEN: .ended("no such screen")
        default: .ended("the server is not running, refused the connection, or closed it")
        }
    }

    /// Passes each event that has arrived to `handler`.
    func receiveEvents(_ handler: (UnsafePointer<xcb_generic_event_t>) -> Void) {
        while let event = xcb_poll_for_event(handle) {
            handler(event)
            free(event)
        }
    }

    /// Sends what is buffered.
    func flush() { xcb_flush(handle) }

    /// Waits for the reply to a request, and passes its structure and the bytes after it to `body`; nil from `body` means
    /// that the reply is shorter than its counts.
    func reply<Fixed, Result>(
        to sequence: UInt32, _: Fixed.Type, _ body: (Fixed, inout X11Reader) -> Result?
    ) throws(X11Failure) -> Result {
        var error: UnsafeMutablePointer<xcb_generic_error_t>?
        let reply = xcb_wait_for_reply(handle, sequence, &error)
        defer {
            free(reply)
            free(error)
        }
        if let error { throw .refused(name(of: error.pointee.error_code)) }
        guard let reply else { throw failure ?? .refused("no reply") }
        // The length counts words after the first 32 bytes, which libxcb has read. It compares no count in the reply with it.
        let length = 32 + Int(reply.load(as: xcb_generic_reply_t.self).length) * 4
        var reader = X11Reader(UnsafeRawBufferPointer(start: reply, count: length))
        guard let fixed = reader.read(Fixed.self), let result = body(fixed, &reader) else {
            throw .ended("a reply is shorter than its counts")
        }
        return result
    }

    /// Waits until a request without a reply, sent with `_checked`, was handled.
    func check(_ cookie: xcb_void_cookie_t) throws(X11Failure) {
        let error = xcb_request_check(handle, cookie)
        defer { free(error) }
        if let error { throw .refused(name(of: error.pointee.error_code)) }
        if let failure { throw failure }
    }

    /// The errors of the core protocol that can occur.
    private static let errorNames: [UInt8: String] = [
        1: "BadRequest", 2: "BadValue", 3: "BadWindow", 5: "BadAtom", 8: "BadMatch", 9: "BadDrawable", 10: "BadAccess",
        11: "BadAlloc", 16: "BadLength", 17: "BadImplementation",
    ]

    /// The name of an error in the protocol.
    private func name(of code: UInt8) -> String {
        Self.errorNames[code] ?? randrName(of: code) ?? "error \(code)"
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
    func atom(_ name: String) throws(X11Failure) -> xcb_atom_t {
        let cookie = xcb_intern_atom(handle, 0, UInt16(name.utf8.count), name)
        return try reply(to: cookie.sequence, xcb_intern_atom_reply_t.self) { reply, _ in reply.atom }
    }

    func hasExtension(_ name: String) throws(X11Failure) -> Bool {
        let cookie = xcb_query_extension(handle, UInt16(name.utf8.count), name)
        return try reply(to: cookie.sequence, xcb_query_extension_reply_t.self) { reply, _ in reply.present != 0 }
    }

    /// Waits for the reply to a request; nil if the server refused it.
    func replyIfAccepted<Fixed, Result>(
        to sequence: UInt32, _ type: Fixed.Type, _ body: (Fixed, inout X11Reader) -> Result?
    ) throws(X11Failure) -> Result? {
        do throws(X11Failure) { return try reply(to: sequence, type, body) } catch .refused { return nil }
    }
}
