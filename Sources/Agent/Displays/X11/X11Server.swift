// SPDX-License-Identifier: Apache-2.0

internal import Posix
internal import Systemd

extension DisplayServerKind {
    /// X servers with RandR 1.3. Touch screens and pens are mapped with a property of XInput.
    static let x11 = DisplayServerKind(name: "X11 RandR") { session, receiver throws(DisplayServerError) in
        // A Wayland session has an X server for old programs, which cannot rotate anything.
        guard let display = session.environment["DISPLAY"], !session.isPresent("WAYLAND_DISPLAY") else { return nil }
        return try X11Server(display, session, receiver)
    }
}

/// An X server, through RandR and XInput: the part on the event loop. ``X11Session`` is the part on a thread of its own, since
/// libxcb blocks while the server does not read, while a part of a reply is missing, and while it connects.
final class X11Server: DisplayServer {
    let name: String
    private let exchange: X11Exchange
    private let receiver: DisplayServerReceiver
    private var source: EventSource?

    /// Connects to a display, such as `:0`, and reads its outputs. Without a reply within `timeout` seconds it cannot be used.
    init(
        _ display: String, _ session: DisplaySession, _ receiver: @escaping DisplayServerReceiver, timeout: Double = 10
    ) throws(DisplayServerError) {
        let name = "X server \(display)"
        self.name = name
        self.receiver = receiver
        do throws(Errno) {
            exchange = try X11Exchange()
            let (log, reportsFrontWindow) = (session.log, session.reportsFrontWindow)
            try DetachedThread.start("x11") { [exchange] in
                X11Session.run(display, name, exchange, log, reportsFrontWindow: reportsFrontWindow)
            }
        } catch {
            throw DisplayServerError("\(name): cannot start a thread: \(error)")
        }
        guard let first = exchange.firstEvent(within: timeout) else {
            exchange.stop()
            throw DisplayServerError(
                "\(name): cannot connect: timed out after \(timeout) s; it hangs, or another program has grabbed it")
        }
        if case .ended(let reason) = first { throw DisplayServerError("\(name): \(reason)") }
        do throws(SystemError) {
            source = try session.loop.watch(exchange.descriptor, for: .read) { [unowned self] _ in deliver() }
        } catch {
            exchange.stop()
            throw DisplayServerError("\(name): \(error)")
        }
    }

    deinit {
        source = nil
        exchange.stop()
    }

    func apply(_ outputs: [Output]) { exchange.apply(outputs) }

    func alignInput(with output: Output) { exchange.alignInput(to: output.name) }

    private func deliver() {
        for event in exchange.takeEvents() {
            if case .ended = event { source = nil }
            receiver(event)
        }
    }
}
