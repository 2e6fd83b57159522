// SPDX-License-Identifier: Apache-2.0

/// The panel, and what rotates the picture on it.
@MainActor public final class Screen {
    /// What rotates the picture.
    public enum Rotator: Sendable {
        /// The app draws rotated: kiosks, programs with their own surface, terminals.
        case application
        /// The desktop rotates the output; the app compensates what the desktop has not rotated.
        case compositor
    }

    /// The screen in portrait. It never turns.
    public let fixedBounds: Rect
    /// What notches, corners and bars take away.
    public let safeArea: SafeArea
    /// How the panel is mounted.
    public let panel: PanelOrientation
    /// What rotates the picture.
    public let rotator: Rotator

    /// The output transform, which the app passes in; used only with ``Rotator/compositor``.
    public var outputTransform = DisplayRotation(.portrait) {
        didSet { application?.windows.forEach { $0.drawAtRest() } }
    }

    weak var application: Application?

    /// Makes a screen from its size in portrait, in the program's own unit.
    public init(
        size: Size, safeArea: SafeArea = SafeArea(), panel: PanelOrientation = .normal,
        rotator: Rotator = .application
    ) {
        fixedBounds = Rect(size: size)
        self.safeArea = safeArea
        self.panel = panel
        self.rotator = rotator
    }

    /// The screen as the interface sees it: wide in the landscapes.
    public var bounds: Rect {
        Rect(size: fixedBounds.size.turned(to: application?.statusBarOrientation ?? .portrait))
    }

    /// How an interface in this orientation is drawn, from its own coordinates to the panel's pixels as the output
    /// shows them: panel ∘ interface, and before it output⁻¹ where a compositor turns the picture.
    func drawing(of interface: InterfaceOrientation) -> DisplayRotation {
        let drawn = DisplayRotation(interface).composed(with: panel.rotation)
        return rotator == .compositor ? drawn.composed(with: outputTransform.inverse) : drawn
    }

    /// The map to draw with while the interface turns: its own angle, and what panel and output add to it.
    func drawingTransform(of turn: InterfaceTurn, at progress: Double) -> Transform {
        let added = drawing(of: turn.from).angle - turn.from.angle
        return Transform(degrees: turn.angle(at: progress) + added)
    }
}
