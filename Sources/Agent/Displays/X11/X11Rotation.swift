// SPDX-License-Identifier: Apache-2.0

/// A rotation of RandR: a set of bits, as in the requests. The rotation is counter-clockwise and follows the reflection.
struct X11Rotation: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

    static let rotate0 = X11Rotation(rawValue: 1)
    static let rotate90 = X11Rotation(rawValue: 2)
    static let rotate180 = X11Rotation(rawValue: 4)
    static let rotate270 = X11Rotation(rawValue: 8)
    static let reflectX = X11Rotation(rawValue: 16)
    static let reflectY = X11Rotation(rawValue: 32)

    private static let turns: [X11Rotation] = [.rotate0, .rotate90, .rotate180, .rotate270]
}

extension X11Rotation {
    init(_ transform: OutputTransform) {
        self = Self.turns[transform.rotation / 90]
        if transform.isFlipped { insert(.reflectX) }
    }

    /// The transform of the picture. A reflection in both directions is a rotation by 180 degrees.
    var transform: OutputTransform {
        let turn = Self.turns.firstIndex { contains($0) } ?? 0
        let quarters = (turn + (contains(.reflectY) ? 2 : 0)) % 4
        let isFlipped = contains(.reflectX) != contains(.reflectY)
        return OutputTransform(rawValue: quarters + (isFlipped ? 4 : 0)) ?? .normal
    }
}
