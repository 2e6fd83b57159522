// SPDX-License-Identifier: Apache-2.0

internal import Posix

/// A method call.
///
///     let call = Call("org.orientationd.Orientation.Monitor", mode: .more)
///
/// On the wire: `{"method": "org.example.Interface.Method", "parameters": {…}, "more": true}`. Absent, null and empty
/// `parameters` are equivalent. Unknown members are ignored: later versions of the protocol may add members.
public struct Call: Hashable, Sendable {
    /// The number of replies that the caller expects.
    public enum Mode: Hashable, Sendable {
        /// One reply.
        case single
        /// Any number of replies; all but the last have `continues` set.
        case more
        /// No reply, not even an error.
        case oneway
    }

    /// The qualified method name: interface, dot, method.
    public let method: String
    /// The parameters; empty if the call has none.
    public internal(set) var parameters: JSONObject
    /// The number of replies that the caller expects.
    public let mode: Mode
    /// Whether the caller requests an upgrade of the connection to another protocol.
    public let wantsUpgrade: Bool

    /// Creates a call.
    public init(
        _ method: String, _ parameters: JSONObject = [:], mode: Mode = .single, wantsUpgrade: Bool = false
    ) {
        self.method = method
        self.parameters = parameters
        self.mode = mode
        self.wantsUpgrade = wantsUpgrade
    }

    /// The interface name: the part of ``method`` before the last dot.
    public var interface: Substring {
        lastDot.map { method[..<$0] } ?? ""
    }

    /// The unqualified method name: the part of ``method`` after the last dot.
    public var member: Substring {
        lastDot.map { method[method.utf8.index(after: $0)...] } ?? method[...]
    }

    private var lastDot: String.Index? { method.utf8.lastIndex(of: UInt8(ascii: ".")) }
}

/// A message that is not a valid call.
struct MalformedCall: Error {
    let reason: String
    /// The error reply; nil for a message that is not an object, and for a oneway call.
    let answer: ErrorReply?
}

extension Call {
    /// Parses one message, without its NUL.
    init(message: UnsafeRawBufferPointer, limits: Limits) throws(MalformedCall) {
        // Checked before parsing: parsing many values takes most of the time.
        guard !JSONValue.exceeds(limits.structuralCharacters, in: message) else {
            throw MalformedCall(
                reason: "a message has more than \(limits.structuralCharacters) brackets, braces, colons and commas",
                answer: nil)
        }
        let json: JSONValue
        do {
            json = try JSONValue(parsing: message, maximumDepth: limits.nesting)
        } catch {
            throw MalformedCall(reason: error.description, answer: nil)
        }
        guard case .object(let object) = json else {
            throw MalformedCall(reason: "a message must be an object, not \(json.kind)", answer: nil)
        }
        do {
            try self.init(object)
        } catch {
            let mayAnswer = object["oneway"] != .bool(true)
            throw MalformedCall(
                reason: error.description, answer: mayAnswer ? .invalidParameter(error.path) : nil)
        }
    }

    private init(_ object: JSONObject) throws(JSONMismatch) {
        method = try object.value("method")
        parameters = try object.optionalValue("parameters") ?? [:]
        let more: Bool = try object.optionalValue("more") ?? false
        let oneway: Bool = try object.optionalValue("oneway") ?? false
        wantsUpgrade = try object.optionalValue("upgrade") ?? false
        guard !more || !oneway else {
            throw JSONMismatch(path: "more", expected: "no such member", found: "'more' together with 'oneway'")
        }
        mode = more ? .more : oneway ? .oneway : .single
    }
}

extension Call {
    /// Takes a parameter; what a decoder has not taken is unknown to it.
    package mutating func take<Value: JSONReadable>(_ name: String) throws(ErrorReply) -> Value {
        guard let value: Value = try takeOptional(name) else { throw .invalidParameter(name) }
        return value
    }

    /// Takes a parameter that may be absent or null.
    package mutating func takeOptional<Value: JSONReadable>(_ name: String) throws(ErrorReply) -> Value? {
        defer { parameters[name] = nil }
        do { return try parameters.optionalValue(name) } catch { throw .invalidParameter(name) }
    }

    package mutating func takeCase<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String
    ) throws(ErrorReply) -> Value {
        let text: String = try take(name)
        guard let value = Value.allCases.first(where: { $0.rawValue.hasBytes(of: text) }) else {
            throw .invalidParameter(name)
        }
        return value
    }

    /// Refuses parameters that were not taken: a caller that sets one of a later version learns that it has no effect.
    package func refuseUnknownParameters() throws(ErrorReply) {
        if let unknown = parameters.first { throw .invalidParameter(unknown.key) }
    }
}
