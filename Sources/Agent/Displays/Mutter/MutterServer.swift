// SPDX-License-Identifier: Apache-2.0

internal import Systemd

extension DisplayServerKind {
    /// GNOME's compositor, on Wayland and on X11: the session bus has its service.
    static let mutter = DisplayServerKind(name: "org.gnome.Mutter.DisplayConfig") {
        session, receiver throws(DisplayServerError) in
        guard session.isPresent("WAYLAND_DISPLAY") || session.isPresent("DISPLAY"), let address = session.busAddress
        else { return nil }
        return try MutterServer(at: address, session, receiver)
    }
}

extension DisplaySession {
    /// The address of the session bus; nil without one.
    fileprivate var busAddress: String? {
        if isPresent("DBUS_SESSION_BUS_ADDRESS") { return environment["DBUS_SESSION_BUS_ADDRESS"] }
        return isPresent("XDG_RUNTIME_DIR") ? environment["XDG_RUNTIME_DIR"].map { "unix:path=\($0)/bus" } : nil
    }
}

/// GNOME's compositor, through its service on the session bus.
///
/// It always reports ``DisplayEvent/rotatedBy(_:)``: mutter rotates the display in tablet mode, and keeps its rotation in
/// laptop mode. Its transforms are relative to the mounting of the panel, which the service does not report: on a panel that
/// the kernel calls sideways they differ from those of other servers. Touch screens and pens follow by themselves.
final class MutterServer: DisplayServer {
    let name = "GNOME (mutter)"
    private let receiver: DisplayServerReceiver
    private var bus: BusConnection?
    private var slots: [BusSlot] = []
    private var state = MutterState(serial: 0)
    private var isEnded = false
    /// Whether a reply to GetCurrentState is expected, and whether the monitors changed meanwhile.
    private var isReading = false
    private var mustReadAgain = false
    /// The configuration whose result is not known yet: the serial number that it names, and the reason of a refusal.
    private var pending: (serial: UInt32, refusal: String?)?

    private static let service = "org.gnome.Mutter.DisplayConfig"
    private static let path = "/org/gnome/Mutter/DisplayConfig"
    /// The timeout of a call in seconds: a change of mode takes up to 2 s on slow panels.
    private static let timeout = 10.0
    /// The timeout of the bus's reply at the start, in seconds.
    private static let startTimeout = 2.0

    /// Opens the service on the bus at an address; nil if there is none.
    init?(
        at address: String, _ session: DisplaySession, _ receiver: @escaping DisplayServerReceiver
    ) throws(DisplayServerError) {
        self.receiver = receiver
        // Without a session bus there is no GNOME.
        guard
            let bus = try? BusConnection(
                on: session.loop, address: address,
                lost: { [unowned self] in end(.ended("the bus closed the connection")) }),
            Self.hasService(bus)
        else { return nil }
        self.bus = bus
        do throws(SystemError) {
            slots = [
                try bus.watch(
                    "type='signal',sender='\(Self.service)',path='\(Self.path)',interface='\(Self.service)',"
                        + "member='MonitorsChanged'"
                ) { [unowned self] _ in read() },
                try bus.watch(
                    "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',"
                        + "interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.service)'"
                ) { [unowned self] _ in end(.ended("\(name) left the session bus")) },
            ]
        } catch {
            throw DisplayServerError("\(name): \(error)")
        }
        receiver(.rotatedBy(name))
        if session.reportsFrontWindow {
            receiver(
                .frontWindowUnsupported(
                    "\(name) does not report the window in front: it has no interface for that; apps can only hold "
                        + "orientations."))
        }
        read()
    }

    private static func hasService(_ bus: BusConnection) -> Bool {
        do throws(SystemError) {
            let call = try bus.newCall(
                to: "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner")
            call.append(.string(service))
            return try bus.callAndWait(call, timeout: startTimeout).readBoolean() == true
        } catch {
            return false
        }
    }

    func apply(_ outputs: [Output]) {
        guard let bus, !isEnded else { return }
        guard pending == nil else { return receiver(.outdated) }
        pending = (state.serial, nil)
        attempt { () throws(SystemError) in
            let call = try bus.newCall(to: Self.service, Self.path, Self.service, "ApplyMonitorsConfig")
            state.append(state.logicalMonitors(for: outputs), to: call)
            try bus.call(call, timeout: Self.timeout) { [weak self] reply in
                // The new state shows the result, and whether a refused configuration was outdated.
                self?.pending?.refusal = reply.error?.text
                self?.read(isResult: true)
            }
        }
    }

    func alignInput(with output: Output) {}

    /// Reads the state; `isResult` after the reply to a configuration.
    private func read(isResult: Bool = false) {
        guard let bus, !isEnded else { return }
        guard !isReading else {
            mustReadAgain = true
            isResultExpected = isResultExpected || isResult
            return
        }
        isReading = true
        attempt { () throws(SystemError) in
            let call = try bus.newCall(to: Self.service, Self.path, Self.service, "GetCurrentState")
            try bus.call(call, timeout: Self.timeout) { [weak self] reply in
                self?.receive(reply, isResult: isResult)
            }
        }
    }

    /// Whether the state that is read next shows the result of a configuration.
    private var isResultExpected = false

    private func receive(_ reply: borrowing BusMessage, isResult: Bool) {
        guard !isEnded else { return }
        isReading = false
        if let error = reply.error { return end(.lost("GetCurrentState failed: \(error.text)")) }
        guard let new = MutterState(reply) else { return end(.lost("GetCurrentState: invalid reply")) }
        let isFirst = state.serial == 0
        if isFirst || isResult || new.outputs != state.outputs { receiver(.outputs(new.outputs)) }
        state = new
        if isResult, let (serial, refusal) = pending {
            pending = nil
            if let refusal {
                receiver(serial == new.serial ? .failed(refusal) : .outdated)
            } else {
                receiver(.applied)
            }
        }
        guard mustReadAgain else { return }
        mustReadAgain = false
        let isNextResult = isResultExpected
        isResultExpected = false
        read(isResult: isNextResult)
    }

    private func attempt(_ body: () throws(SystemError) -> Void) {
        do throws(SystemError) { try body() } catch { end(.lost("\(error)")) }
    }

    private func end(_ last: DisplayEvent) {
        guard !isEnded else { return }
        isEnded = true
        receiver(last)
    }
}
