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

/// The output of `watch` and `replay`: a picture on a terminal, or lines.
struct ViewOptions: ParsableArguments {
    @Flag(help: "Print each state as one JSON object on a line.")
    var json = false

    @Flag(help: "Print a line for each state on a terminal too.")
    var plain = false

    @Flag(name: .customLong("no-color"), help: "Use no colours, as with $NO_COLOR.")
    var isColourless = false

    @Flag(help: "Print the time of each state before it.")
    var timestamps = false

    func validate() throws {
        if json, plain { throw ValidationError("--json and --plain exclude each other") }
    }

    /// Lines for pipes and files.
    @MainActor var lines: PlainLines { PlainLines(json ? .json : .line, hasTimestamps: timestamps) }

    /// Whether it is a picture.
    var isLive: Bool { !json && !plain && Terminal.canShowPictures }

    /// The picture, where it is one; `onEnd` is called when q is pressed.
    @MainActor func liveView(onEnd: @escaping @MainActor () -> Void) -> LiveView? {
        // Colours are for terminals; NO_COLOR is a wish, TERM=dumb an inability.
        isLive ? LiveView(hasColours: !isColourless && Terminal.welcomesColours, onEnd: onEnd) : nil
    }
}
