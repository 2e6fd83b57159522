// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What `orientationctl doctor` says about the display of this session.
@Suite struct DoctorDisplayTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func doctor(user: String? = nil) throws -> String {
        var environment = [
            "PATH": directory.path, "WAYLAND_DISPLAY": "wayland-test", "DISPLAY": "", "XDG_CURRENT_DESKTOP": "sway",
        ]
        environment["SUDO_USER"] = user
        let run = try Run(["--socket", directory.path("none"), "doctor"], environment: environment)
        return run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test func `an agent that fails because a file is not found is not reported as missing`() throws {
        try Programs.write(
            "#!/bin/sh\necho 'libwayland-client.so.0: not found'\nexit 1\n",
            to: directory.path("orientation-autorotate"))
        #expect(
            try doctor().contains(
                "The outputs of the display cannot be listed. libwayland-client.so.0: not found."))
    }

    @Test(.enabled(if: geteuid() == 0))
    func `sudo does not examine the display, and says so`() throws {
        #expect(try doctor(user: "jane").contains("root cannot use the session of a user"))
    }

    @Test func `without the agent its package is the remedy`() throws {
        #expect(try doctor().contains("orientation-autorotate is not installed."))
    }
}
