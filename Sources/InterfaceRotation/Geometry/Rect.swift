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

/// What is taken away at the four sides of a rectangle, in the program's own unit.
public struct EdgeInsets: Hashable, Sendable {
    /// At the top.
    public var top: Double
    /// At the left side.
    public var left: Double
    /// At the bottom.
    public var bottom: Double
    /// At the right side.
    public var right: Double

    /// Makes insets, in UIKit's order.
    public init(top: Double, left: Double, bottom: Double, right: Double) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    /// Nothing is taken away.
    public static let zero = EdgeInsets(top: 0, left: 0, bottom: 0, right: 0)

    /// These insets, given for portrait, as an interface in another orientation sees them: a notch at the device's
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

/// The part of a screen that nothing covers: no notch, no rounded corner, no bar of the system.
public struct SafeArea: Hashable, Sendable {
    /// The insets in portrait, from which the others follow.
    public var portrait: EdgeInsets
    /// Insets of single orientations that do not follow from those of portrait: a bar that is lower in landscape.
    public var exceptions: [InterfaceOrientation: EdgeInsets]

    /// Makes a safe area from the insets in portrait and what does not follow from them.
    public init(portrait: EdgeInsets = .zero, exceptions: [InterfaceOrientation: EdgeInsets] = [:]) {
        self.portrait = portrait
        self.exceptions = exceptions
    }

    /// The insets that an interface in this orientation sees.
    public func safeAreaInsets(for orientation: InterfaceOrientation) -> EdgeInsets {
        exceptions[orientation] ?? portrait.turned(to: orientation)
    }

    /// The safe rectangle in the coordinates of an interface in this orientation, on a screen that has `size` in
    /// portrait.
    public func safeArea(in size: Size, for orientation: InterfaceOrientation) -> Rect {
        Rect(size: size.turned(to: orientation)).inset(by: safeAreaInsets(for: orientation))
    }
}
