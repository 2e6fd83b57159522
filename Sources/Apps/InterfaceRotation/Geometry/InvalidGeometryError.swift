// SPDX-License-Identifier: Apache-2.0

/// Geometry with a number that is not finite, or with a negative width or height. The former value is kept.
public struct InvalidGeometryError: Error, Hashable, CustomStringConvertible {
    /// The property or the call.
    public let subject: String
    /// The invalid value.
    public let value: String

    init(_ subject: String, _ value: some CheckedGeometry) {
        self.subject = subject
        self.value = value.text
    }

    /// The cause and the remedy.
    public var description: String {
        "\(subject): invalid value: \(value): numbers must be finite, and width and height not negative; pass the geometry "
            + "that the toolkit reports"
    }
}

/// Geometry that a program passes in, possibly from a toolkit that does not know it yet.
protocol CheckedGeometry {
    /// Whether all numbers are finite, and width and height not negative.
    var isValid: Bool { get }
    /// The value, for errors.
    var text: String { get }
}

extension CheckedGeometry {
    /// Stops the program if the value is invalid.
    func require(_ subject: String) {
        if !isValid { fatalError("\(InvalidGeometryError(subject, self))") }
    }
}

extension Size: CheckedGeometry {
    var isValid: Bool { width.isFinite && height.isFinite && width >= 0 && height >= 0 }
    var text: String { "size \(width) × \(height)" }
}

extension Point: CheckedGeometry {
    var isValid: Bool { x.isFinite && y.isFinite }
    var text: String { "point (\(x), \(y))" }
}

extension Rect: CheckedGeometry {
    var isValid: Bool { origin.isValid && size.isValid }
    var text: String { "rectangle with \(origin.text), \(size.text)" }
}

extension Transform: CheckedGeometry {
    var isValid: Bool { [a, b, c, d, tx, ty].allSatisfy(\.isFinite) }
    var text: String { "transform [\(a) \(b) \(c) \(d) \(tx) \(ty)]" }
}
