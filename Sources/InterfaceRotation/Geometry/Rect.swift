// SPDX-License-Identifier: Apache-2.0

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

    /// Returns the size of an interface in this orientation, on a screen whose portrait size is this one.
    public func turned(to orientation: InterfaceOrientation) -> Size {
        orientation.isLandscape ? swapped : self
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

    /// Converts insets in portrait to insets in another orientation of the interface: a notch at the device's
    /// top is at the right of an interface whose top is at the device's left edge.
    public func turned(to orientation: InterfaceOrientation) -> EdgeInsets {
        switch orientation {
        case .unknown, .portrait: self
        case .landscapeLeft: EdgeInsets(top: left, left: bottom, bottom: right, right: top)
        case .landscapeRight: EdgeInsets(top: right, left: top, bottom: left, right: bottom)
        case .portraitUpsideDown: EdgeInsets(top: bottom, left: right, bottom: top, right: left)
        }
    }
}

/// The part of a screen without notches, rounded corners and system bars.
public struct SafeArea: Hashable, Sendable {
    /// The insets in portrait, from which the other orientations are derived.
    public var portrait: EdgeInsets
    /// Insets of orientations that cannot be derived from portrait, such as for a bar that is lower in landscape.
    public var exceptions: [InterfaceOrientation: EdgeInsets]

    /// Creates a safe area from the insets in portrait and the exceptions.
    public init(portrait: EdgeInsets = .zero, exceptions: [InterfaceOrientation: EdgeInsets] = [:]) {
        self.portrait = portrait
        self.exceptions = exceptions
    }

    /// Returns the insets of an interface in this orientation.
    public func safeAreaInsets(for orientation: InterfaceOrientation) -> EdgeInsets {
        exceptions[orientation] ?? portrait.turned(to: orientation)
    }

    /// Returns the safe rectangle in the coordinates of an interface in this orientation, on a screen that has `size` in
    /// portrait.
    public func safeArea(in size: Size, for orientation: InterfaceOrientation) -> Rect {
        Rect(size: size.turned(to: orientation)).inset(by: safeAreaInsets(for: orientation))
    }
}
