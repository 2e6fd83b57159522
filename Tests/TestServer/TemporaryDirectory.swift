// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A directory of a test's own, which goes with it.
package final class TemporaryDirectory {
    private let url: URL

    /// Makes the directory.
    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "orientation-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Room for a socket.
    package var socket: String { path("s") }

    /// Room for a file.
    package func path(_ name: String) -> String { url.appending(path: name).path }
}
