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
}

extension Transform {
    /// Creates a rotation about the origin, clockwise for a positive angle in radians.
    public init(rotationAngle angle: Double) { self.init(degrees: angle * 180 / .pi) }
}
