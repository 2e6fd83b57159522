// SPDX-License-Identifier: Apache-2.0

/// One of the system's programs, run to its end. What it complains of goes to our standard error, what it prints nowhere.
enum SystemCommand {
    /// - Throws: ``Failure``, when it is not there or does not succeed.
    static func run(_ arguments: String...) throws {
        // Apart it does not hear Ctrl-C: what was begun is brought to its end.
        let end = try LaunchedProgram(arguments, output: .nothing, isApart: true).wait()
        guard end.isSuccess else { throw Failure("'\(arguments.joined(separator: " "))' \(end)") }
    }
}
