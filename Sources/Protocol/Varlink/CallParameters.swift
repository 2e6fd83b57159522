// SPDX-License-Identifier: Apache-2.0

internal import Posix

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
