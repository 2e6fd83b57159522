// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

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
