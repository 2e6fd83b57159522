// SPDX-License-Identifier: Apache-2.0

public import OrientationModel

/// A point in the coordinates of a view: x grows to the right, y downwards; the unit is the program's own.
public struct Point: Hashable, Sendable {
    /// The horizontal coordinate; positive to the right.
    public var x: Double
    /// The vertical coordinate; positive downwards.
    public var y: Double

    /// Creates a point.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The origin.
    public static let zero = Point(x: 0, y: 0)
}

/// A width and a height, in the program's own unit.
public struct Size: Hashable, Sendable {
    /// The horizontal extent.
    public var width: Double
    /// The vertical extent.
    public var height: Double

    /// Creates a size.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// The size with zero width and height.
    public static let zero = Size(width: 0, height: 0)

    /// The size with width and height swapped.
    public var swapped: Size { Size(width: height, height: width) }

    /// Returns the size of an interface in this orientation that fills an area which has this size on the unrotated
    /// panel.
    public func turned(to orientation: InterfaceOrientation, on shape: PanelShape) -> Size {
        DisplayRotation(orientation, on: shape).swapsSides ? swapped : self
    }
}

/// A rectangle: its top left corner and its size.
public struct Rect: Hashable, Sendable {
    /// The top left corner.
    public var origin: Point
    /// The width and height.
    public var size: Size

    /// Creates a rectangle.
    public init(origin: Point = .zero, size: Size) {
        self.origin = origin
        self.size = size
    }

    /// Creates a rectangle from its coordinates, width and height.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
    }

    /// The empty rectangle at the origin.
    public static let zero = Rect(size: .zero)

    /// The center.
    public var center: Point {
        Point(x: origin.x + size.width / 2, y: origin.y + size.height / 2)
    }

    /// Returns the rectangle reduced by the insets; width and height are at least 0.
    public func inset(by insets: EdgeInsets) -> Rect {
        Rect(
            x: origin.x + insets.left, y: origin.y + insets.top,
            width: max(0, size.width - insets.left - insets.right),
            height: max(0, size.height - insets.top - insets.bottom))
    }
}

/// The distances by which to reduce the four sides of a rectangle, in the program's own unit.
public struct EdgeInsets: Hashable, Sendable {
    /// The inset from the top.
    public var top: Double
    /// The inset from the left side.
    public var left: Double
    /// The inset from the bottom.
    public var bottom: Double
    /// The inset from the right side.
    public var right: Double

    /// Creates insets, in UIKit's order.
    public init(top: Double, left: Double, bottom: Double, right: Double) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    /// Insets of zero.
    public static let zero = EdgeInsets(top: 0, left: 0, bottom: 0, right: 0)

    /// Converts the insets of an interface in one orientation, by default portrait, to those in another. The notch
    /// above a portrait interface is at the right of one in landscapeLeft. Without an orientation (`unknown`) nothing
    /// changes.
    public func turned(
        from old: InterfaceOrientation = .portrait, to new: InterfaceOrientation
    ) -> EdgeInsets {
        guard let old = old.edge, let new = new.edge else { return self }
        switch PanelEdge(new, natural: old) {
        case .top: return self
        case .left: return EdgeInsets(top: left, left: bottom, bottom: right, right: top)
        case .bottom: return EdgeInsets(top: bottom, left: right, bottom: top, right: left)
        case .right: return EdgeInsets(top: right, left: top, bottom: left, right: bottom)
        }
    }
}

/// The part of a screen without notches, rounded corners and system bars.
public struct SafeArea: Hashable, Sendable {
    /// The insets of a portrait interface; the insets of the other orientations are derived from them.
    public var portrait: EdgeInsets
    /// Insets of orientations that cannot be derived from portrait, such as for a bar that is lower in landscape.
    public var exceptions: [InterfaceOrientation: EdgeInsets]

    /// Creates a safe area from the insets of a portrait interface and the exceptions.
    public init(portrait: EdgeInsets = .zero, exceptions: [InterfaceOrientation: EdgeInsets] = [:]) {
        self.portrait = portrait
        self.exceptions = exceptions
    }

    /// Creates a safe area from the insets of an interface in one orientation. For a notch at the top of the unrotated
    /// picture:
    ///
    ///     let shape = PanelShape(width: 1920, height: 1080)
    ///     SafeArea(EdgeInsets(top: 40, left: 0, bottom: 0, right: 0), in: shape.naturalInterfaceOrientation)
    public init(_ insets: EdgeInsets, in orientation: InterfaceOrientation) {
        self.init(portrait: insets.turned(from: orientation, to: .portrait))
    }

    /// Returns the insets of an interface in this orientation.
    public func safeAreaInsets(for orientation: InterfaceOrientation) -> EdgeInsets {
        exceptions[orientation] ?? portrait.turned(to: orientation)
    }

    /// Returns the safe rectangle in the coordinates of an interface in this orientation, on a screen that has `size`
    /// unrotated.
    public func safeArea(in size: Size, for orientation: InterfaceOrientation) -> Rect {
        let shape = PanelShape(width: size.width, height: size.height)
        return Rect(size: size.turned(to: orientation, on: shape)).inset(by: safeAreaInsets(for: orientation))
    }
}
