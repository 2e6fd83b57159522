// SPDX-License-Identifier: Apache-2.0

internal import Support

/// An interface of a ``Service``, whose description is parsed at the first call to it.
package final class ServedInterface: @unchecked Sendable {
    /// The name, for example `org.varlink.service`.
    package let name: String
    private let makeText: @Sendable () -> String
    /// Guards `parsed`.
    private let lock = Lock()
    private var parsed: InterfaceDescription?

    /// Serves the interface of a description.
    package init(_ description: InterfaceDescription) {
        name = description.name
        makeText = { description.text }
        parsed = description
    }

    /// Serves the interface of the description that `text` returns, which must be valid and of this name: otherwise each call
    /// returns the error InterfaceNotFound.
    package init(name: String, text: @escaping @Sendable () -> String) {
        self.name = name
        makeText = text
    }

    /// The text of the description.
    var text: String { makeText() }

    /// The description; nil if the text is invalid.
    var description: InterfaceDescription? {
        lock.withLock {
            if parsed == nil, let description = try? InterfaceDescription(parsing: text), description.name == name {
                parsed = description
            }
            return parsed
        }
    }
}
