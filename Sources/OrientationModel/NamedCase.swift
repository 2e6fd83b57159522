// SPDX-License-Identifier: Apache-2.0

/// An enumeration whose cases are written by name: in text, in JSON and in files.
///
/// A type states its names in `description`; the way back and `Codable`, as one string, come with the conformance.
public protocol NamedCase: CaseIterable, Codable, CustomStringConvertible, LosslessStringConvertible {}

extension NamedCase {
    /// The case with exactly this name, or nil.
    public init?(_ description: String) {
        guard let match = Self.allCases.first(where: { $0.description == description }) else { return nil }
        self = match
    }

    /// Reads a case from its name.
    public init(from decoder: any Decoder) throws {
        try self.init(nameFrom: decoder)
    }

    /// Writes the case as its name.
    public func encode(to encoder: any Encoder) throws {
        try encodeName(to: encoder)
    }
}

/// The standard library offers `Codable` for raw values as well, as numbers; between two offers the compiler takes
/// neither and writes one of its own. This one is nearer than both.
extension NamedCase where Self: RawRepresentable, RawValue == Int {
    /// Reads a case from its name.
    public init(from decoder: any Decoder) throws {
        try self.init(nameFrom: decoder)
    }

    /// Writes the case as its name.
    public func encode(to encoder: any Encoder) throws {
        try encodeName(to: encoder)
    }
}

extension NamedCase {
    fileprivate init(nameFrom decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let match = Self(name) else {
            let known = Self.allCases.map(\.description).joined(separator: ", ")
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(name)' is none of: \(known)")
        }
        self = match
    }

    fileprivate func encodeName(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
