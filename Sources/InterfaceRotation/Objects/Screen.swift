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

    /// The map to draw with, from the interface to the panel's own pixels as the output shows them: panel ∘ interface,
    /// and before it output⁻¹ where a compositor turns the picture. `angle` is the interface's, in degrees.
    func drawingTransform(angle: Double) -> Transform {
        let output = pictureTurner == .compositor ? outputTransform.angle : 0
        return Transform(degrees: angle + panel.row.angle - output)
    }
}
