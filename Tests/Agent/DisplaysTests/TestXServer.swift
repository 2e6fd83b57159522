// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

@testable import Displays

/// A real X server without a screen, which refuses rotations.
struct TestXServer {
    let program: RunningProgram
    /// The value of DISPLAY.
    let display: String

    init(_ options: String...) throws {
        program = try RunningProgram(
            "/usr/bin/Xvfb",
            ["-displayfd", "1", "-screen", "0", "640x400x24", "-nolisten", "tcp", "-noreset"] + options)
        // It prints the number of its display once it listens.
        display = ":" + (try program.line() ?? "")
    }

    func open(reportsFrontWindow: Bool = false) throws -> DisplayBench {
        try DisplayBench(.x11, environment: ["DISPLAY": display], reportsFrontWindow: reportsFrontWindow)
    }

    func kill() {
        program.send(SIGKILL)
        _ = program.wait()
    }
}
