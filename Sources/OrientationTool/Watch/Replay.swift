// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel
import Recordings

/// `orientationctl replay`: a recording as `watch` shows a device, without a daemon.
struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play a recording like watch, without a daemon.",
        discussion: """
            On a terminal it draws a picture: space pauses, q or Ctrl-C ends. Into a pipe, and with --plain, it prints a \
            line for each change. To play a recording to apps, start a daemon with --sensor replay:FILE.

            Examples:
              orientationctl replay walk.rec
              orientationctl replay --speed 4 --classifier calm walk.rec
              orientationd --socket $XDG_RUNTIME_DIR/walk.sock --sensor replay:walk.rec
            """)

    @OptionGroup var view: ViewOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Times faster than recorded, or max; 1 without it.", valueName: "n"),
        completion: .list(["0.5", "1", "4", "max"]), transform: Speed.parse)
    var speed = Speed(factor: 1)

    @Option(
        parsing: .unconditional, help: ClassifierChoice.help, completion: ClassifierChoice.completion,
        transform: ClassifierChoice.parse)
    var classifier = ClassifierChoice.standard

    @Argument(help: SampleInput.help, completion: .file())
    var file: String

    @MainActor func run() async throws {
        let recording = try RecordedRun(SampleInput(file, progress: Progress()))
        let (ending, end) = AsyncStream.makeStream(of: Void.self)
        let signals = SignalWatch.endings { end.finish() }
        defer { withExtendedLifetime(signals) {} }
        let picture = view.liveView { end.finish() }
        defer { picture?.close() }
        let display: any WatchDisplay = picture ?? view.lines
        let player = ReplayPlayer(recording, settings: classifier.settings, speed: speed.factor, display: display)
        picture?.onPause = { [weak player] in player?.togglePause() }
        try await withThrowingTaskGroup { group in
            group.addTask { for await _ in ending {} }
            group.addTask {
                try await player.play()
                // The last picture is there to be looked at.
                if view.isLive { for await _ in ending {} }
            }
            try await group.next()
            group.cancelAll()
        }
        // The live picture has the terminal until here.
        picture?.close()
        ScaleNotice.say(player.scale, of: file)
        if let damage = recording.damage { throw damage }
    }
}

/// How fast a recording is played.
struct Speed {
    /// Infinite for as fast as possible.
    let factor: Double

    private static let range = NumberRange(0.001...1_000_000)

    @Sendable static func parse(_ text: String) throws -> Speed {
        if text.lowercased() == "max" { return Speed(factor: .infinity) }
        guard let number = try? range.parse(text) else {
            throw ValidationError("must be a number \(range.description), or max")
        }
        return Speed(factor: number)
    }
}

/// A recording in memory, as far as it is good.
struct RecordedRun {
    /// What a person would play: 11 hours at 100 Hz, 32 bytes each.
    static let limit = 4_000_000

    let name: String
    private(set) var device: String?
    private(set) var samples: [Sample] = []
    /// What is wrong with the rest.
    private(set) var damage: Failure?

    init(_ input: SampleInput) throws {
        name = input.name.split(separator: "/").last.map(String.init) ?? input.name
        var samples: [Sample] = []
        var device: String?
        do {
            try input.read {
                guard samples.count < Self.limit else {
                    throw Failure("\(input.name): more than \(Self.limit) samples")
                }
                samples.append($0.sample)
            } began: {
                device = $0.device
            }
        } catch let failure as Failure where !samples.isEmpty && samples.count < Self.limit {
            damage = failure
        }
        guard !samples.isEmpty else { throw Failure("\(input.name): no samples") }
        (self.samples, self.device) = (samples, device)
    }
}
