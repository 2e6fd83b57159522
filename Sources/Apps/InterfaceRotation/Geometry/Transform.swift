// SPDX-License-Identifier: Apache-2.0

import Glibc
public import OrientationModel

/// An affine map of the plane, written [a b c d tx ty]: x′ = a·x + c·y + tx, y′ = b·x + d·y + ty.
///
/// The y axis points downwards, so a positive angle turns clockwise. UIKit's type is `CGAffineTransform`. The name
/// differs from Foundation's `AffineTransform`, so a program can import both.
public struct Transform: Hashable, Sendable {
    /// The coefficient of x in x′.
    public var a: Double
    /// The coefficient of x in y′.
    public var b: Double
    /// The coefficient of y in x′.
    public var c: Double
    /// The coefficient of y in y′.
    public var d: Double
    /// The translation in x.
    public var tx: Double
    /// The translation in y.
    public var ty: Double

    /// Creates a map from its six coefficients.
    public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    /// The identity.
    public static let identity = Transform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// Creates a translation to the right and downwards.
    public init(translationX x: Double, y: Double) {
        self.init(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
    }

    /// Creates a scaling about the origin.
    public init(scaleX x: Double, y: Double) {
        self.init(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0)
    }

    /// Creates a rotation about the origin, clockwise for a positive angle in degrees. Quarter turns are exact.
    public init(degrees: Double) {
        let quarter = degrees / 90
        if quarter.rounded() == quarter, abs(quarter) < 4_294_967_296.0 {
            let (sine, cosine) = [(0.0, 1.0), (1, 0), (0, -1), (-1, 0)][Int(quarter) & 3]
            self.init(a: cosine, b: sine, c: -sine + 0, d: cosine, tx: 0, ty: 0)
        } else {
            let angle = degrees * .pi / 180
            self.init(a: cos(angle), b: sin(angle), c: -sin(angle), d: cos(angle), tx: 0, ty: 0)
        }
    }

    /// Whether it turns by about a quarter, which swaps width and height.
    var swapsSides: Bool { abs(b) > abs(a) }

    /// Returns the map that applies this one first, then the other.
    public func concatenating(_ next: Transform) -> Transform {
        Transform(
            a: a * next.a + b * next.c, b: a * next.b + b * next.d,
            c: c * next.a + d * next.c, d: c * next.b + d * next.d,
            tx: tx * next.a + ty * next.c + next.tx, ty: tx * next.b + ty * next.d + next.ty)
    }

    /// Returns the inverse; nil for a singular map.
    public func inverted() -> Transform? {
        let determinant = a * d - b * c
        guard determinant.isNormal else { return nil }
        return Transform(
            a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
            tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
    }
}

extension Point {
    /// Returns the transformed point.
    public func applying(_ t: Transform) -> Point {
        Point(x: t.a * x + t.c * y + t.tx, y: t.b * x + t.d * y + t.ty)
    }
}

extension Size {
    /// Returns the transformed size: rotated and scaled, not translated. Width and height may be negative.
    public func applying(_ t: Transform) -> Size {
        Size(width: t.a * width + t.c * height, height: t.b * width + t.d * height)
    }
}

extension Rect {
    /// Returns the bounding box of the transformed rectangle.
    public func applying(_ t: Transform) -> Rect {
        let far = Point(x: origin.x + size.width, y: origin.y + size.height)
        let corners = [
            origin.applying(t), far.applying(t),
            Point(x: far.x, y: origin.y).applying(t), Point(x: origin.x, y: far.y).applying(t),
        ]
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
        return Rect(x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
    }
}

extension InterfaceOrientation {
    /// Returns the angle of an interface in this orientation on a panel of this shape, in degrees: 0, −90, 180 or 90;
    /// clockwise is positive. The natural orientation, and `unknown`, have 0.
    public func angle(on shape: PanelShape) -> Double {
        DisplayRotation(self, on: shape).angle
    }

    /// Returns the rotation of an interface in this orientation about its center, on a panel of this shape; the
    /// identity for the natural orientation.
    public func transform(on shape: PanelShape) -> Transform {
        Transform(degrees: angle(on: shape))
    }
}

/// The rotation from one interface orientation to another: by the smaller angle, or clockwise if both are 180 degrees.
public struct InterfaceTurn: Hashable, Sendable {
    /// The initial orientation.
    public var from: InterfaceOrientation
    /// The final orientation.
    public var to: InterfaceOrientation

    /// Creates a turn.
    public init(from: InterfaceOrientation, to: InterfaceOrientation) {
        self.from = from
        self.to = to
    }

    /// The angle in degrees: 0, 90, −90, or 180; clockwise is positive.
    public var degrees: Double {
        // The same on every shape.
        let difference = to.angle(on: .tall) - from.angle(on: .tall)
        if difference <= -180 { return difference + 360 }
        return difference > 180 ? difference - 360 : difference
    }

    /// Whether it is a half turn, which changes no size.
    public var isHalfTurn: Bool { degrees == 180 }

    /// Returns the angle of the interface on a panel of this shape at `progress`, 0 to 1, in degrees; clockwise is
    /// positive.
    public func angle(at progress: Double, on shape: PanelShape) -> Double {
        from.angle(on: shape) + degrees * progress
    }

    /// The map from the old picture to the new one.
    public var targetTransform: Transform { Transform(degrees: degrees) }
}
