// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Varlink

/// How a command confirms what it did: one line, a JSON object, or nothing.
struct ReportOptions: ParsableArguments {
    @OptionGroup var silence: QuietOption

    @Flag(help: "Print the result as one JSON object.")
    var json = false

    var isQuiet: Bool { silence.isQuiet }

    func validate() throws {
        if json, isQuiet { throw ValidationError("--json and --quiet exclude each other") }
    }

    /// Prints the line, or the facts as JSON.
    func confirm(_ line: String, _ facts: JSONObject) throws {
        guard json else { return try silence.confirm(line) }
        let output = TextOutput()
        output.add(json: facts.description)
        try output.flush()
    }
}

/// `--quiet`, for commands that confirm what they did and have no facts to print.
struct QuietOption: ParsableArguments {
    @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Do not confirm what was done.")
    var isQuiet = false

    /// Prints a line on standard output.
    func confirm(_ line: String) throws {
        guard !isQuiet else { return }
        let output = TextOutput()
        output.add(line + "\n")
        try output.flush()
    }
}

/// `--overwrite`, for commands that write a file of the user's.
struct OverwriteOption: ParsableArguments {
    @Flag(name: .customLong("overwrite"), help: "Replace the file if it exists.")
    var isAllowed = false
}
