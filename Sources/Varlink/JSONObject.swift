// SPDX-License-Identifier: Apache-2.0

/// A JSON object that remembers the order of its members.
///
/// The order decides how it is written, so that people who read the wire find the important things first; for
/// equality it does not count. Look-up walks the members: Varlink's objects are small, and what reads a message looks
/// up a fixed number of names, so that a hostile message cannot make it slow.
public struct JSONObject: Sendable {
    private var members: [(key: String, value: JSONValue)]

    /// An object without members.
    public init() {
        members = []
    }

    /// Makes an object of these members; of members with one name the last stays.
    public init(_ members: some Sequence<(String, JSONValue)>) {
        self.init()
        for (key, value) in members { self[key] = value }
    }

    /// Takes over members whose names are known to differ from each other.
    init(distinct members: [(key: String, value: JSONValue)]) {
        self.members = members
    }

    /// The value of a member; nil where there is none. Setting nil removes the member.
    public subscript(key: String) -> JSONValue? {
        get { members.first { $0.key == key }?.value }
        set {
            let place = members.firstIndex { $0.key == key }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append((key, value))
            case (nil, nil): break
            }
        }
    }
}

extension JSONObject: RandomAccessCollection {
    /// Where the first member is.
    public var startIndex: Int { members.startIndex }
    /// Past the last member.
    public var endIndex: Int { members.endIndex }
    /// The member at a place.
    public subscript(position: Int) -> (key: String, value: JSONValue) { members[position] }
}

extension JSONObject: Hashable {
    /// Whether both have the same members, in whichever order.
    public static func == (one: JSONObject, other: JSONObject) -> Bool {
        one.count == other.count && one.byName == other.byName
    }

    /// Hashes the members without regard to their order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(byName)
    }

    private var byName: [String: JSONValue] {
        Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last })
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object; of members with one name the last stays.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements)
    }
}
