// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import Posix

/// `orientationctl display`: prints the outputs of the session, and what rotates them.
struct Display: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the outputs of this session and what rotates them",
        discussion: """
            Needs the package orientation-autorotate.

            Examples:
              orientationctl display
              orientationctl display --json
            """)

    @Flag(help: "Print the outputs as one JSON object") var json = false

    func run() throws {
        do {
            // The list includes the display server, which only that program can query.
            let end = try LaunchedProgram([SessionDisplay.program, "--list"] + (json ? ["--json"] : [])).wait()
            if !end.isSuccess { throw ExitCode(EXIT_FAILURE) }
        } catch let error as LaunchError {
            throw Failure("\(error); install the package orientation-autorotate")
        }
    }
}
