// SPDX-License-Identifier: Apache-2.0

/// How a window's picture is to be drawn in one frame.
public struct Picture: Hashable, Sendable {
    /// The map about the centre of the window with which to draw what has ``bounds``; between two orientations while
    /// the interface turns. Panel and compositor are counted in.
    public var transform: Transform
    /// The coordinates in which the interface is laid out: those of its new orientation from the first frame on.
    public var bounds: Rect
    /// The orientation that the interface has, or is turning to.
    public var orientation: InterfaceOrientation
    /// How far the turn is: from 0 to 1, and 1 at rest.
    public var progress: Double
}

/// What shows a window: a terminal, a canvas, a Wayland surface. It is told once per frame while the interface turns,
/// and once when something else changed.
@MainActor public protocol WindowSurface: AnyObject {
    /// Draw the window's content so.
    func window(_ window: Window, shows picture: Picture)
}
