// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A temporary directory, which is removed with this object. Its path is short enough for a socket's address.
package final class TemporaryDirectory {
    /// The path of the directory.
    package let path: String

    /// Creates the directory.
    package init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "od-\(UUID().uuidString.prefix(8))").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A path for a socket.
    package var socket: String { path("s") }

    /// Returns the path of a file in the directory.
    package func path(_ name: String) -> String { path + "/" + name }

    /// Writes a file and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(Data(text.utf8), to: name)
    }

    /// Writes a file and returns its path.
    package func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: URL(filePath: path(name)), options: .atomic)
        return path(name)
    }

    /// Returns the text of a file.
    package func text(of name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }
}
