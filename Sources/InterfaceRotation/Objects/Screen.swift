// SPDX-License-Identifier: Apache-2.0

/// The panel, and the program that rotates the picture on it.
@MainActor public final class Screen {
    /// The program that rotates the picture.
    public enum Rotator: Sendable {
        /// The app draws rotated: kiosks, programs with their own surface, terminals.
        case application
        /// The desktop rotates the output; the app compensates what the desktop has not rotated.
        case compositor
    }

    /// The bounds in portrait, independent of the interface orientation.
    public let fixedBounds: Rect
    /// The area without notches, corners and bars.
    public let safeArea: SafeArea
    /// The mounting of the panel.
    public let panel: PanelOrientation
    /// The program that rotates the picture.
    public let rotator: Rotator

    /// The output transform, which the app passes in; used only with ``Rotator/compositor``.
    public var outputTransform = DisplayRotation(.portrait) {
        didSet { application?.windows.forEach { $0.drawAtRest() } }
    }

    weak var application: Application?

    /// Creates a screen from its size in portrait, in the program's own unit.
    public init(
        size: Size, safeArea: SafeArea = SafeArea(), panel: PanelOrientation = .normal,
        rotator: Rotator = .application
    ) {
        fixedBounds = Rect(size: size)
        self.safeArea = safeArea
        self.panel = panel
        self.rotator = rotator
    }

    /// The bounds in the interface orientation: wide in the landscapes.
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
