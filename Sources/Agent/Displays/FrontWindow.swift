// SPDX-License-Identifier: Apache-2.0

/// The window in front, as the display server reports it: the one with the keyboard focus, see
/// ``DisplayEvent/frontWindow(_:)``.
package struct FrontWindow: Hashable, Sendable {
    /// Differs between windows that exist at the same time, also of one app.
    package var id: UInt64
    /// The app ID of a Wayland window; the class in `WM_CLASS` of an X11 window, also under Xwayland. Nil if the window has
    /// none, or one of more than ``maximumNameLength`` bytes.
    package var appID: String?
    /// The instance in `WM_CLASS` of an X11 window, which `StartupWMClass` of a desktop file can name too; nil where the
    /// server does not report it.
    package var instance: String?
    package var state = State.normal
    /// The name of the output that shows the window, as in ``Output/name``; nil if the server does not report it, as
    /// sway 1.10 for a window that opens in full screen.
    package var output: String?

    /// How much of its output a window fills, in ascending order.
    package enum State: Int, Hashable, Comparable, Sendable {
        case normal, maximized, fullscreen

        package static func < (first: State, second: State) -> Bool { first.rawValue < second.rawValue }
    }

    /// The longest app ID, class or instance, in bytes: a desktop file of that name exists only up to NAME_MAX.
    package static let maximumNameLength = 255
}
