// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel

/// `orientationctl replay`: plays a recording with the displays of `watch`, without a daemon.
struct Replay: AsyncParsableCommand, LocalCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play a recording like watch, without a daemon",
        discussion: """
            On a terminal, draws the device: space pauses, q or Ctrl-C ends. To a pipe, and with --plain, prints a line \
            for each change. To play a recording to apps, start a daemon with --sensor replay:FILE.

            Examples:
              orientationctl replay walk.rec
              orientationctl replay --speed 4 --classifier calm walk.rec
              orientationd --socket $XDG_RUNTIME_DIR/walk.sock --sensor replay:walk.rec
            """)

    @OptionGroup var view: ViewOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Speed factor, 0.001 to 1000000, or max (default: 1)", valueName: "n"),
        completion: .list(["0.5", "1", "4", "max"]), transform: Speed.parse)
    var speed = Speed(factor: 1)

    @OptionGroup var input: ClassifiedInput
    @ParentCommand var root: OrientationCtl

    @MainActor func run() async throws {
        let file = input.input
        let recording = try RecordedRun(file)
        let (ending, end) = AsyncStream.makeStream(of: Void.self)
        let signals = SignalWatch.termination { end.finish() }
        defer { withExtendedLifetime(signals) {} }
        let picture = view.liveView { end.finish() }
        defer { picture?.close() }
        let display: any WatchDisplay = picture ?? view.lines
        let player = ReplayPlayer(
            recording, name: file.shortName, settings: input.classifier.settings, speed: speed.factor, display: display)
        picture?.onPause = { [weak player] in player?.togglePause() }
        try await withThrowingTaskGroup { group in
            group.addTask { for await _ in ending {} }
            group.addTask {
                try await player.play()
                // Keep the last picture until the user quits.
                if view.isLive { for await _ in ending {} }
            }
            try await group.next()
            group.cancelAll()
        }
        // Restores the terminal before the messages.
        picture?.close()
        ScaleNotice.print(player.scale, of: input.file)
        if let damage = recording.damage { throw damage }
    }
}

struct Speed {
    /// The factor; infinite for as fast as possible.
    let factor: Double

    private static let range = NumberRange(0.001...1_000_000)

    @Sendable static func parse(_ text: String) throws -> Speed {
        if text.lowercased() == "max" { return Speed(factor: .infinity) }
        // The message of `parse` lacks `max`.
        guard let number = try? range.parse(text) else {
            throw ValidationError("must be a number \(range.description), or max")
        }
        return Speed(factor: number)
    }
}
