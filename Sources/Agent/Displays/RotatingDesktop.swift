// SPDX-License-Identifier: Apache-2.0

internal import Posix
internal import Systemd

extension DisplayServerError {
    /// A desktop that rotates the display itself, by the service `net.hadess.SensorProxy`: a second program that does so would
    /// disturb it.
    init(rotatingDesktop desktop: String) {
        self.init(
            "\(desktop) rotates the display itself: nothing to do; it follows orientationd if the package "
                + "orientationd-sensorproxy is installed",
            isPermanent: true, desktop: desktop)
    }
}

extension DisplayServerKind {
    /// The desktops whose compositors are mutter or forks of it, on Wayland and on X11: they own a name on the session bus.
    static let mutter = DisplayServerKind(name: nil) { session, _ throws(DisplayServerError) in
        guard session.isPresent("WAYLAND_DISPLAY") || session.isPresent("DISPLAY"), let address = session.busAddress,
            // sd_bus_start fails without a session bus; without descriptors or memory the next kind fails too.
            let bus = try? BusConnection(on: session.loop, address: address, lost: {})
        else { return nil }
        if try bus.hasOwner("org.cinnamon.Muffin.DisplayConfig") {
            throw DisplayServerError(rotatingDesktop: "Cinnamon (muffin)")
        }
        guard try bus.hasOwner("org.gnome.Mutter.DisplayConfig") else { return nil }
        let isBudgie = DisplaySession.desktops(session.environment).contains("budgie")
        throw DisplayServerError(rotatingDesktop: isBudgie ? "Budgie (mutter)" : "GNOME (mutter)")
    }
}

extension DisplaySession {
    /// The names in XDG_CURRENT_DESKTOP, in lower case.
    static func desktops(_ environment: [String: String]) -> [String] {
        (environment["XDG_CURRENT_DESKTOP"] ?? "").lowercased().parts(between: ":")
    }

    fileprivate var busAddress: String? {
        environment["DBUS_SESSION_BUS_ADDRESS"] ?? environment["XDG_RUNTIME_DIR"].map { "unix:path=\($0)/bus" }
    }
}

extension BusConnection {
    /// The timeout of the bus's reply in seconds.
    private static let timeout = 2.0

    fileprivate func hasOwner(_ name: String) throws(DisplayServerError) -> Bool {
        do throws(SystemError) {
            let call = try newDriverCall("NameHasOwner", about: name)
            return try callAndWait(call, timeout: Self.timeout).readBoolean() == true
        } catch {
            throw DisplayServerError("session bus: cannot find the owner of \(name): \(Errno(error.code))")
        }
    }
}
