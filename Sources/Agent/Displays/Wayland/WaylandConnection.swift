// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import CWayland
internal import CWaylandClient
internal import Glibc
internal import Posix
internal import Systemd
internal import Varlink

/// An object that a compositor offers to all clients.
struct WaylandGlobal: Hashable {
    let name: UInt32
    let interface: String
    let version: UInt32
}

/// The limits on what a compositor may list. Globals, modes, windows and workspaces beyond them are ignored; more outputs
/// end the connection, since a configuration must name every output.
enum WaylandLimit {
    static let globals = 4_096
    static let outputs = 64
    /// The modes of an output.
    static let modes = 4_096
    static let windows = 1_024
    static let workspaces = 1_024
    /// The requests that wait for the compositor to read. More end the connection.
    static let requests = 16_384
    /// The text of a request, in bytes: the identifier of a window or a workspace has 36.
    static let text = 128
}

/// A connection to a Wayland compositor.
///
///     guard let connection = try WaylandConnection(session), let global = connection.global("…") else { return nil }
///     let object = connection.bind(global, interface, atMost: 4) { opcode, arguments in … }
///     try connection.start(for: server)
///
/// The list of globals is read with a timeout when the connection is made; all later events come from the event loop,
/// once it is started.
final class WaylandConnection {
    /// What the compositor offers.
    private(set) var globals: [WaylandGlobal] = []
    let compositor: Compositor
    private let display: WaylandDisplay
    private let loop: EventLoop
    private var registry: WaylandObject?
    private weak var server: WlrServer?
    private var source: EventSource?
    /// In the order in which the compositor answers.
    private var callbacks: [WaylandObject] = []

    /// The timeout for the list of globals, in seconds: a compositor replies within milliseconds, unless it hangs.
    static let timeout = 5.0

    /// The opcodes in use of wl_display and wl_registry, and their events.
    private enum Opcode {
        static let sync = 0, getRegistry = 1, bind = 0
        static let global = 0, globalRemove = 1
    }

    /// Connects to the compositor of the session and lists its globals; nil if WAYLAND_DISPLAY is not set.
    init?(_ session: DisplaySession, timeout: Double = timeout) throws(DisplayServerError) {
        guard let path = try Self.path(in: session.environment) else { return nil }
        guard let display = WaylandDisplay(adopting: try Self.connect(to: path).release()) else {
            throw DisplayServerError("\(path): cannot connect to the Wayland compositor: out of memory")
        }
        self.display = display
        loop = session.loop
        compositor = Compositor(ofSocket: wl_display_get_fd(display.handle), environment: session.environment)
        try list(path, timeout: timeout)
    }

    deinit {
        // Before the socket is closed: the loop must not watch another file of the same number.
        source = nil
        display.stop()
    }

    /// The path of the compositor's socket, as libwayland finds it; nil if none is set.
    private static func path(in environment: [String: String]) throws(DisplayServerError) -> String? {
        guard let name = environment["WAYLAND_DISPLAY"] else { return nil }
        if name.hasPrefix("/") { return name }
        guard let directory = environment["XDG_RUNTIME_DIR"], directory.hasPrefix("/") else {
            throw DisplayServerError(
                "WAYLAND_DISPLAY=\(name): cannot find the socket: \(Environment.noRuntimeDirectory); run this in "
                    + "the graphical session")
        }
        return "\(directory)/\(name)"
    }

    /// Connects to a socket. libwayland would wait without a limit while the backlog of the compositor is full.
    private static func connect(to path: String) throws(DisplayServerError) -> OwnedDescriptor {
        let reason: String
        do throws(SocketError) {
            return try StreamSocket.connectedDescriptor(to: path)
        } catch .busy {
            reason = "it accepts no connections; the compositor hangs or is stopped"
        } catch .notServed {
            reason = "no compositor is listening; check WAYLAND_DISPLAY"
        } catch .failed(_, let number) {
            reason = "\(Errno(number)); check WAYLAND_DISPLAY"
        } catch {
            reason = "\(error); check WAYLAND_DISPLAY"
        }
        throw DisplayServerError("\(path): cannot connect to the Wayland compositor: \(reason)")
    }

    /// Reads the list of globals.
    private func list(_ path: String, timeout: Double) throws(DisplayServerError) {
        guard
            let proxy = marshal(
                display.handle, Opcode.getRegistry, [.new], creating: cwayland_registry())
        else { throw DisplayServerError("\(path): cannot list the compositor's interfaces: out of memory") }
        registry = WaylandObject(adopting: proxy, of: display) { [unowned self] opcode, arguments in
            receive(opcode, arguments)
        }
        var isDone = false
        synchronize { isDone = true }
        let end = MonotonicClock.now() + timeout
        while !isDone {
            let left = end - MonotonicClock.now()
            guard left > 0 else {
                throw DisplayServerError(
                    "\(compositor.name) (\(path)): listing its interfaces timed out after \(timeout) s; "
                        + "the compositor hangs or is stopped")
            }
            let isFlushed = display.flush()
            var watched = pollfd(
                fd: wl_display_get_fd(display.handle), events: Int16(isFlushed ? POLLIN : POLLIN | POLLOUT), revents: 0)
            poll(&watched, 1, Int32((left * 1_000).rounded(.up)))
            guard watched.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 || display.state.isEnded else { continue }
            guard read() else {
                throw DisplayServerError("\(path): cannot list the compositor's interfaces: \(failure)")
            }
        }
    }

    /// The first global of an interface.
    func global(_ interface: String) -> WaylandGlobal? {
        globals.first { $0.interface == interface }
    }

    /// Binds a global, with its own version or the given one, whichever is lower.
    func bind(
        _ global: WaylandGlobal, _ interface: WaylandInterface, atMost version: UInt32,
        handler: @escaping (_ opcode: Int, WaylandArguments) -> Void = { _, _ in }
    ) -> WaylandObject? {
        let version = min(version, global.version)
        guard let registry,
            let proxy = marshal(
                registry.proxy, Opcode.bind,
                [.unsigned(global.name), .text(interface.pointee.name), .unsigned(version), .new],
                creating: interface, version: version)
        else { return nil }
        return WaylandObject(adopting: proxy, of: display, handler: handler)
    }

    /// Adopts an object that the compositor created with an event.
    func adopt(
        _ proxy: OpaquePointer, handler: @escaping (_ opcode: Int, WaylandArguments) -> Void = { _, _ in }
    ) -> WaylandObject {
        WaylandObject(adopting: proxy, of: display, handler: handler)
    }

    /// Calls back after the compositor has handled all requests so far.
    func synchronize(_ done: @escaping () -> Void) {
        enqueue { [unowned self] in
            guard let proxy = marshal(display.handle, Opcode.sync, [.new], creating: cwayland_callback())
            else { return }
            callbacks.append(
                WaylandObject(adopting: proxy, of: display) { [unowned self] _, _ in
                    callbacks.removeFirst()
                    done()
                })
        }
    }

    /// Makes a request that follows from an event: at once, or when the socket accepts more bytes.
    /// `request` must not call `enqueue`.
    func enqueue(_ request: @escaping () -> Void) {
        display.enqueue(request)
    }

    /// Starts to read events. The server receives the globals that come and go, and the end of the connection.
    func start(for server: WlrServer) throws(DisplayServerError) {
        self.server = server
        do throws(SystemError) {
            source = try loop.watch(wl_display_get_fd(display.handle), for: .read) { [unowned self] _ in
                if read() { flush() } else { end() }
            }
        } catch {
            throw DisplayServerError("\(compositor.name): \(error)")
        }
        flush()
    }

    /// Sends the requests so far. A failure makes the loop read, as a full socket does: callers may be handling an event.
    func flush() {
        let isFull = !display.flush()
        source?.setInterest(isFull ? [.read, .write] : .read)
    }

    /// Reads and handles the events that have arrived, without blocking; returns whether the connection is intact.
    private func read() -> Bool {
        while wl_display_prepare_read(display.handle) != 0 {
            guard wl_display_dispatch_pending(display.handle) >= 0 else { return false }
        }
        guard wl_display_read_events(display.handle) >= 0 else { return false }
        return wl_display_dispatch_pending(display.handle) >= 0 && !display.state.isEnded
    }

    /// Stops to read events.
    func stop() { source = nil }

    private func end() {
        stop()
        server?.end(failure)
    }

    /// Why the connection ended.
    private var failure: String {
        if display.state == .overflowed {
            return "\(compositor.name): connection lost: it does not read requests; the compositor hangs or is stopped"
        }
        let code = wl_display_get_error(display.handle)
        guard code == EPROTO else {
            return [0, EPIPE, ECONNRESET].contains(code)
                ? "\(compositor.name) closed the connection"
                : "\(compositor.name): connection lost: \(Errno(code))"
        }
        var interface: UnsafePointer<wl_interface>?
        var id: UInt32 = 0
        let number = wl_display_get_protocol_error(display.handle, &interface, &id)
        let name = interface.map { String(cString: $0.pointee.name) } ?? "an unknown interface"
        return "\(compositor.name): protocol error \(number) of \(name)"
    }

    private func receive(_ opcode: Int, _ arguments: WaylandArguments) {
        switch opcode {
        case Opcode.global:
            guard globals.count < WaylandLimit.globals else { return }
            let global = WaylandGlobal(
                name: arguments.unsigned(0), interface: arguments.text(1), version: arguments.unsigned(2))
            globals.append(global)
            server?.globalAdded(global)
        case Opcode.globalRemove:
            guard let index = globals.firstIndex(where: { $0.name == arguments.unsigned(0) }) else { return }
            server?.globalRemoved(globals.remove(at: index))
        default: break
        }
    }
}
