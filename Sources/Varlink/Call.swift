// SPDX-License-Identifier: Apache-2.0

/// A call that a client made.
///
/// On the wire: `{"method": "org.example.Interface.Method", "parameters": {…}, "more": true}`. Absent, null and empty
/// `parameters` mean the same; members of other names are ignored, as later versions of the protocol may add some.
public struct Call: Hashable, Sendable {
    /// How many replies the caller wants.
    public enum Mode: Hashable, Sendable {
        /// One.
        case single
        /// Any number, of which all but the last say `continues`.
        case more
        /// None, not even an error.
        case oneway
    }

    /// The method's name with its interface.
    public let method: String
    /// The parameters; empty where the call has none.
    public let parameters: JSONObject
    /// How many replies the caller wants.
    public let mode: Mode
    /// Whether the caller wants to speak something else on the connection afterwards.
    public let wantsUpgrade: Bool

    /// Makes a call.
    public init(
        _ method: String, _ parameters: JSONObject = [:], mode: Mode = .single, wantsUpgrade: Bool = false
    ) {
        self.method = method
        self.parameters = parameters
        self.mode = mode
        self.wantsUpgrade = wantsUpgrade
    }

    /// The interface's part of the method's name: all before the last dot.
    public var interface: Substring {
        lastDot.map { method[..<$0] } ?? ""
    }

    /// The method's own name: all after the last dot.
    public var member: Substring {
        lastDot.map { method[method.utf8.index(after: $0)...] } ?? method[...]
    }

    /// Looked for among the bytes: to look for a character takes many times as long, and is done for every call.
    private var lastDot: String.Index? { method.utf8.lastIndex(of: UInt8(ascii: ".")) }
}

/// What is wrong with a message that should be a call.
struct MalformedCall: Error {
    let reason: String
    /// The answer, where the protocol allows one: not to what is no object, and not to a oneway call.
    let answer: ErrorReply?
}

extension Call {
    /// Reads the bytes of one message, without its NUL.
    init(message: UnsafeRawBufferPointer, nesting: Int) throws(MalformedCall) {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: message, maximumDepth: nesting)
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
                reason: error.description, answer: mayAnswer ? .invalidParameter(error.parameter) : nil)
        }
    }

    private init(_ object: JSONObject) throws(JSONMismatch) {
        method = try object.value("method")
        parameters = try object.optionalValue("parameters") ?? [:]
        let more: Bool = try object.optionalValue("more") ?? false
        let oneway: Bool = try object.optionalValue("oneway") ?? false
        wantsUpgrade = try object.optionalValue("upgrade") ?? false
        guard !more || !oneway else {
            throw JSONMismatch(path: "more", expected: "no such member", found: "one beside oneway")
        }
        mode = more ? .more : oneway ? .oneway : .single
    }
}
