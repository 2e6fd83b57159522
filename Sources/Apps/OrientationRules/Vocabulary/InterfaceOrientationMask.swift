// SPDX-License-Identifier: Apache-2.0

/// A set of interface orientations.
///
/// The bit of an orientation is 1 shifted left by its raw value. Orientation and mask are different types on purpose:
/// the raw value 3 is the orientation landscapeRight, whose mask is 8.
public struct InterfaceOrientationMask: OptionSet, Hashable, Sendable {
    /// The bits 1 to 4, one for each orientation but `unknown`.
    public let rawValue: UInt

    /// Creates a mask from its bits; bits without an orientation are dropped.
    @inlinable public init(rawValue: UInt) {
        self.rawValue = rawValue & 0b11110
    }

    /// The mask of one orientation; empty for `unknown`, which has no bit.
    @inlinable public init(_ orientation: InterfaceOrientation) {
        self.init(rawValue: 1 << UInt(truncatingIfNeeded: orientation.rawValue))
    }

    /// Creates a mask of the listed orientations.
    public init(_ orientations: some Sequence<InterfaceOrientation>) {
        self = orientations.reduce(into: []) { $0.formUnion(Self($1)) }
    }

    /// Portrait only.
    public static let portrait = Self(.portrait)
    /// Portrait upside down only.
    public static let portraitUpsideDown = Self(.portraitUpsideDown)
    /// The interface's landscapeRight only.
    public static let landscapeRight = Self(.landscapeRight)
    /// The interface's landscapeLeft only.
    public static let landscapeLeft = Self(.landscapeLeft)
    /// Both landscapes.
    public static let landscape: Self = [.landscapeLeft, .landscapeRight]
    /// All except upside down: the default of a phone.
    public static let allButUpsideDown: Self = [.portrait, .landscape]
    /// All four orientations.
    public static let all: Self = [.portrait, .portraitUpsideDown, .landscape]

    /// Whether this orientation is in the mask; never for `unknown`.
    @inlinable public func contains(_ orientation: InterfaceOrientation) -> Bool {
        rawValue & (1 << UInt(truncatingIfNeeded: orientation.rawValue)) != 0
    }

    /// The orientations of the mask in raw order: portrait, portraitUpsideDown, landscapeRight, landscapeLeft.
    public var orientations: Orientations { Orientations(rest: self) }

    /// The orientations of a mask in raw order.
    public struct Orientations: Sequence, IteratorProtocol, Sendable {
        var rest: InterfaceOrientationMask

        /// The next orientation; nil at the end.
        public mutating func next() -> InterfaceOrientation? {
            guard rest.rawValue != 0 else { return nil }
            let lowest = InterfaceOrientation(rawValue: rest.rawValue.trailingZeroBitCount)
            rest = InterfaceOrientationMask(rawValue: rest.rawValue & (rest.rawValue - 1))
            return lowest
        }
    }
}

extension InterfaceOrientationMask: CustomStringConvertible {
    /// The names of the orientations: "portrait, landscapeLeft", or "none".
    public var description: String { text(InterfaceOrientation.names) }

    /// Returns the names that `names` gives, or "none".
    func text(_ names: ([InterfaceOrientation]) -> String) -> String { isEmpty ? "none" : names(Array(orientations)) }
}

extension InterfaceOrientation {
    /// Returns UIKit's names, separated by commas; "all" for the four.
    @Sendable static func names(_ orientations: [InterfaceOrientation]) -> String {
        orientations.count == 4 ? "all" : orientations.map(\.description).joined(separator: ", ")
    }
}

extension InterfaceOrientationMask: Codable {
    /// Reads a list of names; `unknown` among them is an error, since it has no bit.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let names = try container.decode([InterfaceOrientation].self)
        guard !names.contains(.unknown) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a mask cannot hold 'unknown'; leave it out")
        }
        self.init(names)
    }

    /// Writes the names in raw order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Array(orientations))
    }
}
