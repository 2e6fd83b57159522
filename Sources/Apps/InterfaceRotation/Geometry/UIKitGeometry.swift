// SPDX-License-Identifier: Apache-2.0

extension Rect {
    /// The width.
    public var width: Double { size.width }
    /// The height.
    public var height: Double { size.height }
    /// The left side.
    public var minX: Double { origin.x }
    /// The middle between left and right side.
    public var midX: Double { center.x }
    /// The right side.
    public var maxX: Double { origin.x + size.width }
    /// The top.
    public var minY: Double { origin.y }
    /// The middle between top and bottom.
    public var midY: Double { center.y }
    /// The bottom.
    public var maxY: Double { origin.y + size.height }

    /// Returns the rectangle reduced at left and right by `dx`, at top and bottom by `dy`; width and height are at least 0.
    public func insetBy(dx: Double, dy: Double) -> Rect {
        inset(by: EdgeInsets(top: dy, left: dx, bottom: dy, right: dx))
    }

    /// Returns the rectangle moved to the right and downwards.
    public func offsetBy(dx: Double, dy: Double) -> Rect {
        Rect(origin: Point(x: origin.x + dx, y: origin.y + dy), size: size)
    }

    /// Returns whether a point is in the rectangle; its right side and bottom are not.
    public func contains(_ point: Point) -> Bool {
        point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
    }
}

extension Transform {
    /// Creates a rotation about the origin, clockwise for a positive angle in radians.
    public init(rotationAngle angle: Double) { self.init(degrees: angle * 180 / .pi) }

    /// Whether it changes nothing.
    public var isIdentity: Bool { self == .identity }

    /// Returns the map that rotates by an angle in radians first.
    public func rotated(by angle: Double) -> Transform { Transform(rotationAngle: angle).concatenating(self) }
    /// Returns the map that scales first.
    public func scaledBy(x: Double, y: Double) -> Transform { Transform(scaleX: x, y: y).concatenating(self) }
    /// Returns the map that moves first.
    public func translatedBy(x: Double, y: Double) -> Transform { Transform(translationX: x, y: y).concatenating(self) }
}
