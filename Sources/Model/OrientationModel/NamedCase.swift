// SPDX-License-Identifier: Apache-2.0

/// An enumeration whose cases are written by name in text, JSON and files.
///
/// A conforming type implements `description`; parsing and `Codable` (as a string) follow from it.
public protocol NamedCase: CaseIterable, Codable, CustomStringConvertible, LosslessStringConvertible {}

extension NamedCase {
    /// Creates the case with exactly this name, compared as bytes; nil for another text.
    @inlinable public init?(_ description: String) {
        guard let match = Self.allCases.first(where: { $0.description.utf8.elementsEqual(description.utf8) }) else {
            return nil
        }
        self = match
    }

    /// Decodes a case from its name.
    public init(from decoder: any Decoder) throws {
        try self.init(nameFrom: decoder)
    }

    /// Encodes the case as its name.
    public func encode(to encoder: any Encoder) throws {
        try encodeName(to: encoder)
    }
}

/// The standard library also implements `Codable` for raw values, as numbers. With two candidates the compiler
/// synthesizes a third implementation; this more specific one wins over both.
extension NamedCase where Self: RawRepresentable, RawValue == Int {
    /// Decodes a case from its name.
    public init(from decoder: any Decoder) throws {
        try self.init(nameFrom: decoder)
    }

    /// Encodes the case as its name.
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
                in: container, debugDescription: "invalid value '\(name)': must be one of \(known)")
        }
        self = match
    }

    fileprivate func encodeName(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
