// SPDX-License-Identifier: Apache-2.0

/// A connection to a display server: a Wayland compositor or an X server.
///
/// All members are called on the event loop. The server passes ``DisplayEvent`` values to the receiver that it was opened
/// with, also while it is opened or called: before the first ``DisplayEvent/outputs(_:)``, and if the session asks for it,
/// ``DisplayEvent/frontWindow(_:)`` or ``DisplayEvent/frontWindowUnsupported(_:)``.
package protocol DisplayServer: AnyObject {
    /// The name for messages, such as `sway` or `X server :0`.
    var name: String { get }

    /// Applies the transforms and positions of all outputs at once. Exactly one of ``DisplayEvent/applied``,
    /// ``DisplayEvent/failed(_:)`` or ``DisplayEvent/outdated`` follows, and before `applied` the new outputs. None follows
    /// if the next configuration replaces this one before it has ended.
    ///
    /// - Parameter outputs: every output of the last ``DisplayEvent/outputs(_:)``; only transforms and positions differ.
    func apply(_ outputs: [Output])

    /// Maps touch screens and pens to an output, whose transform they then follow. Called after each transform, and
    /// when input devices may have changed. Where the server cannot map them and they would not follow,
    /// ``DisplayEvent/inputAdvice(_:)`` follows.
    func alignInput(with output: Output)
}

package enum DisplayEvent: Hashable, Sendable {
    /// All outputs, in the server's order: when they are known first, and after each change.
    case outputs([Output])
    /// The enabled outputs that show nothing, because the display server has turned them off: after each change. Those that
    /// are off at the start: of sway, once input is mapped; of X servers not before the next change.
    case darkOutputs(Set<String>)
    /// The last configuration is in effect.
    case applied
    /// The server refused the last configuration; the text is the reason.
    case failed(String)
    /// The outputs changed before the last configuration was applied: build it again from the newest ones.
    case outdated
    /// The server has read its configuration again, which resets transforms and the mapping of input.
    case reloaded
    /// A touch screen or a pen may have been added: map input again.
    case inputChanged
    /// What to configure to make touch screens and pens follow the output.
    case inputAdvice(String)
    /// The window in front: when it is known first, and after each change. While no window has the focus, for example while a
    /// panel, a menu or the lock screen of the desktop has it: nil, or, where changes of the workspace are known, the last
    /// one with the focus, as long as it is shown maximized or in full screen. Only if
    /// ``DisplaySession/reportsFrontWindow``.
    case frontWindow(FrontWindow?)
    /// The server does not report the window in front, unless ``frontWindow(_:)`` follows; the text is a complete sentence
    /// that names the cause and what to do. Only if ``DisplaySession/reportsFrontWindow``.
    case frontWindowUnsupported(String)
    /// The connection has ended, although the server may run: it closed the connection, does not reply or reported an error,
    /// or a call failed. The text is the reason. No event follows.
    case ended(String)
}

/// A display server that cannot be used, as a message: what failed, on what, why, and what to do.
package struct DisplayServerError: Error, Hashable, CustomStringConvertible {
    package let description: String
    /// Whether another attempt in the same session cannot succeed.
    package let isPermanent: Bool
    /// The desktop that rotates the display itself, such as `GNOME (mutter)`; nil for a failure.
    package let desktop: String?

    package init(_ description: String, isPermanent: Bool = false, desktop: String? = nil) {
        self.description = description
        self.isPermanent = isPermanent
        self.desktop = desktop
    }
}
