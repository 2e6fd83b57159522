// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The programs under test, which are built beside the tests.
enum Programs {
    static let daemon = path("orientationd")
    static let tool = path("orientationctl")

    /// The Python of the clients that others wrote; `make test` makes it.
    static let python =
        ProcessInfo.processInfo.environment["ORIENTATIOND_TEST_PYTHON"] ?? packageFolder + "/.build/python/bin/python3"

    static let packageFolder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// One of the apps in Examples/interface.
    static func example(_ name: String) -> String { path(name) }

    private static func path(_ name: String) -> String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name).path
    }
}

/// Something that should have happened and did not.
struct Surprise: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// No step of a test may take longer than this, in seconds: it bounds a failure, no success waits for it.
let patience = 30.0

/// Whether something that tells nobody comes true in time; it is looked at again and again.
func eventually(_ isTrue: () throws -> Bool) rethrows -> Bool {
    let deadline = Date(timeIntervalSinceNow: patience)
    while deadline.timeIntervalSinceNow > 0 {
        if try isTrue() { return true }
        sched_yield()
    }
    return false
}
