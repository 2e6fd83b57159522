// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Returns a parameter, whose type the description of the interface guarantees.
    package func parameter<Value: JSONReadable>(_ name: String) throws(ErrorReply) -> Value {
        do { return try parameters.value(name) } catch { throw .invalidParameter(name) }
    }

    /// Returns a parameter that may be absent.
    package func optionalParameter<Value: JSONReadable>(_ name: String) throws(ErrorReply) -> Value? {
        do { return try parameters.optionalValue(name) } catch { throw .invalidParameter(name) }
    }
}
