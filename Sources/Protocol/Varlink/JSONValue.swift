// SPDX-License-Identifier: Apache-2.0

internal import Posix

/// A JSON value.
///
/// Integers and reals are distinct, as Varlink's `int` and `float` are: `1` parses as an integer, `1.0` as a real.
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without fraction and exponent.
    case integer(Int64)
    /// Any other number. Infinities and NaN are written as `null`: JSON cannot represent them.
    case real(Double)
    /// A string; a parsed string never contains U+0000.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)
}

extension JSONValue {
    /// The type of the value with its article, for error messages.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer: "an integer"
        case .real: "a real number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A real number.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An array of values.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object; of duplicate names the last one counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements))
    }
}

/// A JSON object with ordered members.
///
/// The order determines the output and is ignored by `==`. Lookup is a linear search: Varlink's objects are small, and
/// each message is searched for a fixed number of names: a hostile message cannot slow it down.
public struct JSONObject: Sendable {
    private var members: [(key: String, value: JSONValue)]

    /// Creates an object without members.
    public init() {
        members = []
    }

    /// Creates an object; of duplicate names the last one counts.
    public init(_ members: some Sequence<(String, JSONValue)>) {
        self.init()
        for (key, value) in members { self[key] = value }
    }

    /// Creates an object from members whose names are known to be distinct.
    init(distinct members: [(key: String, value: JSONValue)]) {
        self.members = members
    }

    /// The value of a member; nil if it is absent. Setting nil removes the member.
    public subscript(key: String) -> JSONValue? {
        get { place(of: key).map { members[$0].value } }
        set {
            switch (place(of: key), newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append((key, value))
            case (nil, nil): break
            }
        }
    }

    /// Compares keys only: a search of the members would copy each value.
    private func place(of key: String) -> Int? { members.indices.first { members[$0].key.hasBytes(of: key) } }
}

extension JSONObject: RandomAccessCollection {
    /// The position of the first member.
    public var startIndex: Int { members.startIndex }
    /// The position after the last member.
    public var endIndex: Int { members.endIndex }
    /// The member at a position.
    public subscript(position: Int) -> (key: String, value: JSONValue) { members[position] }
}

extension JSONObject: Hashable {
    /// Returns whether both have the same members, in any order.
    public static func == (one: JSONObject, other: JSONObject) -> Bool {
        one.count == other.count && one.byName == other.byName
    }

    /// Hashes the members independently of their order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(byName)
    }

    private var byName: [[UInt8]: JSONValue] {
        Dictionary(members.map { (Array($0.key.utf8), $0.value) }, uniquingKeysWith: { _, last in last })
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object; of duplicate names the last one counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements)
    }
}
