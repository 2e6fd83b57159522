// SPDX-License-Identifier: Apache-2.0

/// The panel, and who turns the picture on it.
@MainActor public final class Screen {
    /// Who turns the picture.
    public enum PictureTurner: Sendable {
        /// The app draws turned: kiosks, programs with their own surface, terminals.
        case application
        /// The desktop turns the output; the app makes up for what it has not turned.
        case compositor
    }

    /// The screen in portrait. It never turns.
    public let fixedBounds: Rect
    /// What notches, corners and bars take away.
    public let safeArea: SafeArea
    /// How the panel is mounted.
    public let panel: PanelOrientation
    /// Who turns the picture.
    public let pictureTurner: PictureTurner

    /// How the compositor has turned the output, told by the app; it counts only for ``PictureTurner/compositor``.
    public var outputTransform = OutputRow(.portrait) {
        didSet { application?.windows.forEach { $0.drawAtRest() } }
    }

    weak var application: Application?

    /// Makes a screen from its size in portrait, in the program's own unit.
    public init(
        size: Size, safeArea: SafeArea = SafeArea(), panel: PanelOrientation = .normal,
        pictureTurner: PictureTurner = .application
    ) {
        fixedBounds = Rect(size: size)
        self.safeArea = safeArea
        self.panel = panel
        self.pictureTurner = pictureTurner
    }

    /// The screen as the interface sees it: wide in the landscapes.
    public var bounds: Rect {
        Rect(size: fixedBounds.size.turned(to: application?.statusBarOrientation ?? .portrait))
    }

    /// How an interface in this orientation is drawn, from its own coordinates to the panel's pixels as the output
    /// shows them: panel ∘ interface, and before it output⁻¹ where a compositor turns the picture.
    func drawing(of interface: InterfaceOrientation) -> OutputRow {
        let drawn = OutputRow(interface).composed(with: panel.row)
        return pictureTurner == .compositor ? drawn.composed(with: outputTransform.inverse) : drawn
    }

    /// The map to draw with while the interface turns: its own angle, and what panel and output add to it.
    func drawingTransform(of turn: InterfaceTurn, at progress: Double) -> Transform {
        let added = drawing(of: turn.from).angle - turn.from.angle
        return Transform(degrees: turn.angle(at: progress) + added)
    }
}
