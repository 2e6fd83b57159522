// SPDX-License-Identifier: Apache-2.0

/// A reply to a call.
package struct Reply {
    /// The parameters, or the error that the service returned.
    package let result: Result<JSONObject, ErrorReply>
    /// Whether more replies to the call follow.
    package let continues: Bool

    /// Parses a message without its NUL. Unknown members are ignored: later versions of the protocol may add members.
    ///
    /// - Throws: ``JSONSyntaxError`` or ``JSONMismatch``.
    package init(parsing message: UnsafeRawBufferPointer) throws {
        let object = try JSONObject(json: JSONValue(parsing: message))
        let parameters: JSONObject = try object.optionalValue("parameters") ?? [:]
        if let name: String = try object.optionalValue("error") {
            result = .failure(ErrorReply(name, parameters))
            continues = false
        } else {
            result = .success(parameters)
            continues = try object.optionalValue("continues") ?? false
        }
    }
}
