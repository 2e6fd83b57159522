// SPDX-License-Identifier: Apache-2.0

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
