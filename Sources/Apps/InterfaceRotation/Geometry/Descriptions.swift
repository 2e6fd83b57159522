// SPDX-License-Identifier: Apache-2.0

/// The form in which UIKit prints geometry.
extension Double {
    /// The number, without the fraction of a whole one.
    fileprivate var short: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}

extension Rect: CustomStringConvertible {
    /// "(x y; width height)".
    public var description: String {
        "(\(origin.x.short) \(origin.y.short); \(size.width.short) \(size.height.short))"
    }
}

extension Transform: CustomStringConvertible {
    /// "[a, b, c, d, tx, ty]".
    public var description: String { "[\([a, b, c, d, tx, ty].map(\.short).joined(separator: ", "))]" }
}

extension View: @MainActor CustomStringConvertible {
    /// The type, the frame, and a transform of its own: `<View; frame = (0 0; 320 568); transform = [2, 0, 0, 2, 0, 0]>`.
    public var description: String {
        let own = transform == .identity ? "" : "; transform = \(transform)"
        return "<\(type(of: self)); frame = \(frame)\(own)>"
    }
}
