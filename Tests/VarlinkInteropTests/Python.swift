// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The Python interpreter that has the independent implementations, `varlink` and `asyncvarlink`.
enum Python {
    struct Missing: Error, CustomStringConvertible {
        let path: String

        var description: String {
            "\(path) is missing. These tests need a Python with the packages varlink and asyncvarlink: `make test` "
                + "makes one there, or name one in ORIENTATIOND_TEST_PYTHON."
        }
    }

    /// The root of the package.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func script(_ name: String) -> String {
        root.appending(path: "Tests/VarlinkInteropTests/Python/\(name)").path
    }

    static func interpreter() throws -> URL {
        let path =
            ProcessInfo.processInfo.environment["ORIENTATIOND_TEST_PYTHON"]
            ?? root.appending(path: ".build/python/bin/python3").path
        guard FileManager.default.isExecutableFile(atPath: path) else { throw Missing(path: path) }
        return URL(filePath: path)
    }
}
