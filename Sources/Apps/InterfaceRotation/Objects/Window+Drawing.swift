// SPDX-License-Identifier: Apache-2.0

extension Window {
    /// The geometry with which to draw the window now. ``surface`` receives it in every frame of a turn; programs that
    /// draw by other means read it here.
    public var picture: Picture {
        let rest = InterfaceTurn(from: interfaceOrientation, to: interfaceOrientation)
        let (turn, progress) = turn?.motion ?? (rest, 1)
        return Picture(
            transform: application?.screen.drawingTransform(of: turn, at: progress) ?? .identity,
            bounds: Rect(size: size(in: interfaceOrientation)), orientation: turn.to, progress: progress)
    }

    /// Returns the position of a point of the panel, such as of a touch, in the coordinates of ``Picture/bounds``: those of
    /// a root view without a transform of its own. During a turn it is the position in the picture as it is drawn now. The
    /// point may lie outside the window.
    ///
    ///     let point = window.convert(fromPanel: Point(x: event.x, y: event.y))
    ///
    /// - Parameter point: A point in the coordinates of ``Screen/panelBounds``: of the surface on which the program
    ///   draws the picture, in the unit of the screen.
    /// - Returns: The same point in the coordinates of the picture.
    public func convert(fromPanel point: Point) -> Point {
        let picture = picture
        let (center, middle) = (centerOnPanel, picture.bounds.center)
        let local = Point(x: point.x - center.x, y: point.y - center.y)
            .applying(picture.transform.inverted() ?? .identity)
        return Point(x: local.x + middle.x, y: local.y + middle.y)
    }

    /// Returns the position on the panel of a point of the picture: the inverse of ``convert(fromPanel:)``.
    public func convert(toPanel point: Point) -> Point {
        let picture = picture
        let (center, middle) = (centerOnPanel, picture.bounds.center)
        let local = Point(x: point.x - middle.x, y: point.y - middle.y).applying(picture.transform)
        return Point(x: local.x + center.x, y: local.y + center.y)
    }

    /// The frame as the user sees it: in the coordinates of the screen's interface, those of ``Screen/bounds``. ``frame``
    /// is in those of the unrotated screen. Set it while a window is visible; it stays on the panel when the interface turns.
    ///
    ///     var half = screen.bounds
    ///     half.size.width /= 2
    ///     window.interfaceFrame = half    // the left half
    public var interfaceFrame: Rect {
        get { frame.applying(fromInterface.inverted() ?? .identity) }
        set { frame = newValue.applying(fromInterface) }
    }

    /// The map from the coordinates of the interface to those of the unrotated screen.
    private var fromInterface: Transform {
        guard let application else { return .identity }
        let screen = application.screen
        let from = Rect(size: screen.fixedBounds.size.turned(to: application.interfaceOrientation, on: screen.shape))
            .center
        let to = screen.fixedBounds.center
        return Transform(translationX: -from.x, y: -from.y)
            .concatenating(application.interfaceOrientation.transform(on: screen.shape))
            .concatenating(Transform(translationX: to.x, y: to.y))
    }

    private var centerOnPanel: Point { application?.screen.convert(toPanel: center) ?? center }

    /// Draws the picture, unless a running animation draws it in its next frame.
    func drawAtRest() {
        guard turn?.isMoving != true else { return }
        draw()
    }

    func draw() {
        drawsWhenSettled = false
        guard isVisible, let surface else { return }
        surface.window(self, shows: picture)
    }
}
