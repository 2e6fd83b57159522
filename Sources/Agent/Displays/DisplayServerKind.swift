// SPDX-License-Identifier: Apache-2.0

package import Systemd

/// A kind of display server: a row of ``DisplayServerKind/all``.
///
/// A new backend is a file with a class that conforms to ``DisplayServer``, and a row; `DisplayServerContractTests` runs
/// against each.
package struct DisplayServerKind: Sendable {
    /// The name of the interface, for messages, such as `wlr-output-management`; nil for desktops that rotate themselves.
    package let name: String?
    /// Opens the server of this session; nil if it is not of this kind. Throws for a desktop that rotates the display itself.
    package let open:
        @Sendable (DisplaySession, @escaping DisplayServerReceiver) throws(DisplayServerError) -> (any DisplayServer)?
}

/// Receives the events of a display server, on the event loop: queues them, and does not call the server.
package typealias DisplayServerReceiver = (DisplayEvent) -> Void

/// The graphical session of this process: where to find its display server.
package struct DisplaySession {
    /// The environment variables that are not empty, such as `WAYLAND_DISPLAY`, `DISPLAY`, `SWAYSOCK`.
    package let environment: [String: String]
    package let loop: EventLoop
    package let log: Logger
    /// Whether the server reports the window in front, which costs wakeups when windows change.
    package let reportsFrontWindow: Bool

    package init(
        environment: [String: String], loop: EventLoop, log: Logger, reportsFrontWindow: Bool = false
    ) {
        self.environment = environment
        self.loop = loop
        self.log = log
        self.reportsFrontWindow = reportsFrontWindow
    }
}

extension DisplayServerKind {
    /// The kinds in the order in which they are tried: Wayland before X11, since a Wayland session often has an X server.
    /// Compositors before the session bus, which other sessions of the user share.
    package static let all: [DisplayServerKind] = [wlr, mutter, x11]
}

extension DisplaySession {
    /// Opens the display server of the session.
    ///
    /// - Throws: `DisplayServerError` if there is none, or none that is supported.
    package func openServer(
        _ kinds: [DisplayServerKind] = DisplayServerKind.all, receiver: @escaping DisplayServerReceiver
    ) throws(DisplayServerError) -> any DisplayServer {
        for kind in kinds {
            if let server = try kind.open(self, receiver) { return server }
        }
        guard isPresent("WAYLAND_DISPLAY") || isPresent("DISPLAY") else {
            throw DisplayServerError(
                "no display server: neither WAYLAND_DISPLAY nor DISPLAY is set; run this in the graphical "
                    + "session", isPermanent: true)
        }
        throw DisplayServerError(
            "display server not supported: it has none of the interfaces \(kinds.compactMap(\.name).joined(separator: ", ")); "
                + "see orientation-autorotate(1)", isPermanent: true)
    }

    package func isPresent(_ variable: String) -> Bool { environment[variable] != nil }
}
