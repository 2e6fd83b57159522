// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The programs under test, built beside the tests.
package enum Programs {
    /// The daemon.
    package static let daemon = path("orientationd")
    /// The tool.
    package static let tool = path("orientationctl")
    /// The session agent.
    package static let agent = path("orientation-autorotate")
    /// orientation-tablet-switch.
    package static let tabletSwitch = path("orientation-tablet-switch")

    /// The Python interpreter with the third-party packages of the tests; `make test` installs it.
    package static let python =
        ProcessInfo.processInfo.environment["ORIENTATIOND_TEST_PYTHON"] ?? packageFolder + "/.build/python/bin/python3"

    /// The root of the package.
    package static let packageFolder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// Returns the path of an app of Examples/interface.
    package static func example(_ name: String) -> String { path(name) }

    /// Copies a program to where other users can run it, which the build directory may not allow.
    ///
    /// Another process writes the copy: a child that another test forks meanwhile would inherit a file that is being written, and
    /// until its exec the copy could not be run ("Text file busy").
    package static func copy(_ program: String, to path: String) throws {
        let run = try RunningProgram.run("/bin/cp", ["--preserve=mode", program, path])
        guard run.status == 0 else { throw TestFailure(run.errors) }
    }

    /// Writes a script that can run at once; see ``copy(_:to:)``.
    package static func write(_ script: String, to path: String) throws {
        let draft = path + ".draft"
        try script.write(toFile: draft, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: draft)
        defer { try? FileManager.default.removeItem(atPath: draft) }
        try copy(draft, to: path)
    }

    /// Returns the path of a file beside the tests.
    package static func path(_ name: String) -> String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: tests).deletingLastPathComponent().appending(path: name).path
    }
}

/// The failure of a step that a test depends on.
package struct TestFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// The timeout of each step of a test in seconds; a passing test never waits for it.
package let stepTimeout = 30.0

/// Whether a descriptor is readable within a time in milliseconds.
package func isReadable(_ descriptor: Int32, within milliseconds: Int32 = 0) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, milliseconds) == 1
}

/// Whether a descriptor is readable before the timeout of a step.
package func becomesReadable(_ descriptor: Int32) -> Bool {
    isReadable(descriptor, within: Int32(stepTimeout * 1_000))
}

/// Polls a condition that has no event; false after the timeout.
package func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = Date(timeIntervalSinceNow: stepTimeout)
    while deadline.timeIntervalSinceNow > 0 {
        if try condition() { return true }
        // The condition needs the processor.
        usleep(1_000)
    }
    return false
}

/// Repeats an attempt for which a timeout of the program itself, in seconds, may be too short on a loaded machine. An attempt
/// that fails sooner has failed.
package func eventually(despite timeout: Double, _ attempt: () throws -> Bool) rethrows -> Bool {
    let deadline = Date(timeIntervalSinceNow: stepTimeout)
    while deadline.timeIntervalSinceNow > 0 {
        let start = ContinuousClock.now
        if try attempt() { return true }
        // Timers of the program may have been started before this clock was read, and are rounded.
        if ContinuousClock.now - start < .seconds(0.9 * timeout) { return false }
    }
    return false
}
