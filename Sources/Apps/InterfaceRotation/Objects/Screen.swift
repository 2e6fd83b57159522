// SPDX-License-Identifier: Apache-2.0

public import OrientationModel

/// The panel, and the program that rotates the picture on it.
///
/// The shape of the panel determines which of its edges is up in each orientation. The *natural orientation* is not
/// rotated: it is upright while the panel's top edge is up.
///
/// | panel edge up | device, tall panel | interface | device, wide panel | interface |
/// |---|---|---|---|---|
/// | top | portrait | portrait | landscapeLeft | landscapeRight |
/// | left | landscapeRight | landscapeLeft | portrait | portrait |
/// | bottom | portraitUpsideDown | portraitUpsideDown | landscapeRight | landscapeLeft |
/// | right | landscapeLeft | landscapeRight | portraitUpsideDown | portraitUpsideDown |
///
/// An interface in landscape is not rotated on an upright laptop, and fills its screen; one in portrait is rotated:
///
///     let screen = Screen(size: Size(width: 1920, height: 1080))
///     screen.naturalInterfaceOrientation    // landscapeRight
@MainActor public final class Screen {
    /// The program that rotates the picture.
    public enum Rotator: Sendable {
        /// The app draws rotated: kiosks, programs with their own surface, terminals.
        case application
        /// The desktop rotates the output; the app compensates what the desktop has not rotated.
        case compositor
    }

    /// The bounds of the unrotated picture, independent of the interface orientation: x to its right, y downwards.
    /// Windows are placed in it.
    public internal(set) var fixedBounds: Rect
    /// The shape of the unrotated picture.
    public var shape: PanelShape { PanelShape(width: fixedBounds.size.width, height: fixedBounds.size.height) }
    /// The area without notches, corners and bars.
    public let safeArea: SafeArea
    /// The mounting of the panel, relative to the axes of the readings. Normal for orientationd, whose axes are those
    /// of the unrotated panel.
    public let panel: PanelOrientation
    /// The program that rotates the picture.
    public let rotator: Rotator

    /// The transform that the desktop, or `orientation-autorotate`, has applied to the output: the app passes in what its
    /// compositor reports. Used only with ``Rotator/compositor``.
    ///
    /// The app draws the difference between the interface and the output, so nothing is rotated twice, and it is right
    /// in between, whichever changes first. Every change of it is drawn at once.
    ///
    ///     screen.outputTransform = try DisplayRotation(waylandTransform: 1)
    public var outputTransform = DisplayRotation(.top) {
        didSet { application?.windows.forEach { $0.draw() } }
    }

    weak var application: Application?

    /// Creates a screen. A size with a negative or non-finite number stops the program.
    ///
    /// - Parameters:
    ///   - size: The size of the unrotated picture in the program's own unit, as of the mode: 1920 × 1080 for a laptop.
    ///     It is the size while the device is in its natural orientation, so it is the mode with width and height swapped
    ///     if `panel` is on its left or right side.
    ///   - safeArea: The area without notches, corners and bars.
    ///   - panel: The mounting of the panel, relative to the axes of the readings.
    ///   - rotator: The program that rotates the picture.
    public init(
        size: Size, safeArea: SafeArea = SafeArea(), panel: PanelOrientation = .normal,
        rotator: Rotator = .application
    ) {
        size.require("Screen(size:)")
        fixedBounds = Rect(size: size)
        self.safeArea = safeArea
        self.panel = panel
        self.rotator = rotator
    }

    /// The interface orientation that is not rotated: portrait, or landscapeRight on a screen that is wider than tall.
    public var naturalInterfaceOrientation: InterfaceOrientation { shape.naturalInterfaceOrientation }

    /// The bounds in the orientation of the interface, wide in the landscapes: of the window that covers the screen, or
    /// did last. Before that, they are in the natural orientation, and in the launch orientation while no window is visible.
    public var bounds: Rect {
        let orientation = application?.interfaceOrientation ?? naturalInterfaceOrientation
        return Rect(size: fixedBounds.size.turned(to: orientation, on: shape))
    }

    /// Changes the size of the unrotated picture: after a change of the mode, or if the app's surface is its screen.
    ///
    /// Windows that cover the screen cover it afterwards: their controllers receive `viewWillTransition` and the layout
    /// callbacks. Running turns are finished. If the shape changes too, the orientations get the names of the new natural
    /// orientation, the picture stays as it is, and every window is decided again.
    ///
    /// In a callback, the resize is deferred until all callbacks have returned; in a callback of a turn, until the turn has
    /// ended. Of several sizes, the newest is used. If each change causes another one, ``RotationDoesNotSettleError`` is
    /// reported. A size with a negative or non-finite number is ignored with an ``InvalidGeometryError``. Both go to
    /// ``Application/orientationFailureHandler``; a size that the handler of the former sets is used with the next change.
    ///
    /// - Parameter size: As in ``init(size:safeArea:panel:rotator:)``; not the size of a rotated output.
    public func resize(to size: Size) {
        guard size.isValid else {
            let error = InvalidGeometryError("screen.resize(to:)", size)
            return application.map { $0.report(error) } ?? StandardError.write("\(error)")
        }
        guard let application else {
            fixedBounds = Rect(size: size)
            return
        }
        application.resizeScreen(to: size)
    }

    /// The bounds of the surface on which the app draws and receives input: of the panel's mode, or under a compositor
    /// of the rotated output.
    public var panelBounds: Rect {
        let size = fixedBounds.size
        return Rect(size: panelRotation.swapsSides ? size.swapped : size)
    }

    /// The rotation of the unrotated picture on the surface of the app.
    private var panelRotation: DisplayRotation { drawing(of: naturalInterfaceOrientation) }

    /// Returns the position of a point of the unrotated picture on the surface of the app.
    func convert(toPanel point: Point) -> Point {
        let (center, middle) = (panelBounds.center, fixedBounds.center)
        let local = Point(x: point.x - middle.x, y: point.y - middle.y)
            .applying(Transform(degrees: panelRotation.angle))
        return Point(x: local.x + center.x, y: local.y + center.y)
    }

    /// The rotation with which to draw an interface in this orientation: panel ∘ interface, and under a compositor
    /// output⁻¹ ∘ panel ∘ interface.
    func drawing(of interface: InterfaceOrientation) -> DisplayRotation {
        let drawn = DisplayRotation(interface, on: shape).composed(with: panel.rotation)
        return rotator == .compositor ? drawn.composed(with: outputTransform.inverse) : drawn
    }

    /// The transform with which to draw during a turn: the sum of the angles of interface, panel and output.
    func drawingTransform(of turn: InterfaceTurn, at progress: Double) -> Transform {
        let added = drawing(of: turn.from).angle - turn.from.angle(on: shape)
        return Transform(degrees: turn.angle(at: progress, on: shape) + added)
    }
}
