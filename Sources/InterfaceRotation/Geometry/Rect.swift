// SPDX-License-Identifier: Apache-2.0

/// A point in the coordinates of a view: x grows to the right, y downwards; the unit is the program's own.
public struct Point: Hashable, Sendable {
    /// To the right.
    public var x: Double
    /// Downwards.
    public var y: Double

    /// Makes a point.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The origin.
    public static let zero = Point(x: 0, y: 0)
}

/// A width and a height, in the program's own unit.
public struct Size: Hashable, Sendable {
    /// From left to right.
    public var width: Double
    /// From top to bottom.
    public var height: Double

    /// Makes a size.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// No extent.
    public static let zero = Size(width: 0, height: 0)

    /// Width and height exchanged.
    public var swapped: Size { Size(width: height, height: width) }

    /// The size that an interface has on a screen which has this size in portrait.
    public func turned(to orientation: InterfaceOrientation) -> Size {
        orientation.isLandscape ? swapped : self
    }
}

/// A rectangle by its origin, which is its top left corner, and its size.
public struct Rect: Hashable, Sendable {
    /// The top left corner.
    public var origin: Point
    /// The extent.
    public var size: Size

    /// Makes a rectangle.
    public init(origin: Point = .zero, size: Size) {
        self.origin = origin
        self.size = size
    }

    /// Makes a rectangle from its four numbers.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
    }

    /// Nothing, at the origin.
    public static let zero = Rect(size: .zero)

    /// The point in the middle.
    public var center: Point {
        Point(x: origin.x + size.width / 2, y: origin.y + size.height / 2)
    }

    /// The rectangle that is left inside these insets; never less than nothing.
    public func inset(by insets: EdgeInsets) -> Rect {
        Rect(
            x: origin.x + insets.left, y: origin.y + insets.top,
            width: max(0, size.width - insets.left - insets.right),
            height: max(0, size.height - insets.top - insets.bottom))
    }
}
