// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Varlink

/// The confirmation of a command: one line, a JSON object, or nothing.
struct ReportOptions: ParsableArguments {
    @OptionGroup var quiet: QuietOption

    @Flag(help: "Print the result as one JSON object")
    var json = false

    var isQuiet: Bool { quiet.isQuiet }

    func validate() throws {
        if json, isQuiet { throw ValidationError("--json and --quiet are mutually exclusive") }
    }

    func confirm(_ line: String, _ facts: JSONObject) throws {
        if json { try TextOutput.print(json: facts.description) } else { try quiet.confirm(line) }
    }
}

/// `--quiet`, for commands without facts to print.
struct QuietOption: ParsableArguments {
    @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Do not print a confirmation")
    var isQuiet = false

    /// Prints the line on standard output, unless quiet.
    func confirm(_ line: String) throws {
        if !isQuiet { try TextOutput.print(line) }
    }
}

/// `--duration`, for commands that run until Ctrl-C.
struct RunTimeOption: ParsableArguments {
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Stop after this time", valueName: "seconds"),
        transform: NumberRange(0.001...1_000_000).parse)
    var duration: Double?
}

/// `--overwrite`, for commands that write a file.
struct OverwriteOption: ParsableArguments {
    @Flag(name: .customLong("overwrite"), help: "Replace the file if it exists")
    var isAllowed = false
}
