// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The environment of this process. An empty variable means the same as an unset one.
package enum Environment {
    /// The value of a variable; nil if it is unset or empty.
    package static subscript(_ name: String) -> String? {
        getenv(name).flatMap { $0.pointee == 0 ? nil : String(cString: $0) }
    }

    /// Why there is no directory for the sockets of a user, for messages.
    package static let noRuntimeDirectory = "XDG_RUNTIME_DIR is not set"

    /// What is wrong with the directory for the sockets of a user, for messages; nil if nothing is. Root needs none.
    package static var runtimeDirectoryFault: String? {
        guard let folder = Self["XDG_RUNTIME_DIR"] else { return geteuid() == 0 ? nil : noRuntimeDirectory }
        return access(folder, F_OK) == 0 ? nil : "XDG_RUNTIME_DIR=\(folder) does not exist"
    }

    /// All variables by their names, without empty ones; of several with one name the first counts.
    package static var values: [String: String] {
        Dictionary(all.compactMap(\.assignment)) { first, _ in first }.filter { !$1.isEmpty }
    }

    /// All variables, in the form `NAME=VALUE`.
    static var all: [String] {
        var variables: [String] = []
        var next = environ
        while let text = next.pointee {
            variables.append(String(cString: text))
            next += 1
        }
        return variables
    }

    /// Returns all variables, with these replaced or added.
    package static func with(_ others: [(name: String, value: String)]) -> [String] {
        all.filter { variable in !others.contains { variable.hasPrefix("\($0.name)=") } }
            + others.map { "\($0.name)=\($0.value)" }
    }
}
