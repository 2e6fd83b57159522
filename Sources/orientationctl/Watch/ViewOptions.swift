// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// How states are shown: as a picture on a terminal, or as lines.
struct ViewOptions: ParsableArguments {
    @Flag(help: "Print each state as one JSON object on a line of its own.")
    var json = false

    @Flag(help: "Print a line for each state, also on a terminal.")
    var plain = false

    @Flag(name: .customLong("no-color"), help: "Use no colours; so does a NO_COLOR in the environment.")
    var isColourless = false

    /// Whether it is a picture.
    var isLive: Bool { !json && !plain && Terminal.canShowPictures }

    /// The picture, where it is one; `onEnd` is called when somebody presses q.
    @MainActor func liveView(onEnd: @escaping @MainActor () -> Void) -> LiveView? {
        // Colours are for terminals; NO_COLOR is a wish, TERM=dumb an inability.
        isLive ? LiveView(hasColours: !isColourless && Terminal.welcomesColours, onEnd: onEnd) : nil
    }
}
