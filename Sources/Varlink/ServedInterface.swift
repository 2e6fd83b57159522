// SPDX-License-Identifier: Apache-2.0

internal import Support

/// An interface of a ``Service``: a parsed description, or a text that is parsed at the first call to the interface.
///
/// A parsed description takes about ten times the memory of its text.
public final class ServedInterface: @unchecked Sendable {
    /// The name, for example `org.varlink.service`.
    public let name: String
    private let text: @Sendable () -> String
    /// Guards `parsed`.
    private let lock = Lock()
    private var parsed: InterfaceDescription?

    /// Serves a parsed description.
    public init(_ description: InterfaceDescription) {
        name = description.name
        text = { description.text }
        parsed = description
    }

    /// Serves the description in `text`, which must be valid and of this name: otherwise the service does not have the
    /// interface.
    public init(name: String, text: @escaping @Sendable () -> String) {
        self.name = name
        self.text = text
    }

    /// The parsed description; nil if the text is invalid.
    var description: InterfaceDescription? {
        lock.withLock {
            if parsed == nil, let read = try? InterfaceDescription(parsing: text()), read.name == name { parsed = read }
            return parsed
        }
    }
}
