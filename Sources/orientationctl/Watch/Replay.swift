// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel
import Recordings

/// `orientationctl replay`: a recording as `watch` shows a device, without a daemon.
struct Replay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play a recording as `watch` shows a device, without a daemon.",
        discussion: """
            On a terminal a picture, which stays at the end until q or Ctrl-C; into a pipe, and with --plain, a line for \
            each answer of the classifier. To play a recording to apps, give it to a daemon of your own.

            Examples:
              orientationctl replay walk.rec
              orientationctl replay --speed 4 --classifier calm walk.rec
              orientationd --socket $XDG_RUNTIME_DIR/walk.sock --sensor replay:walk.rec
            """)

    @OptionGroup var view: ViewOptions

    @Option(help: ArgumentHelp("How many times faster than it was lived, or max.", valueName: "n"))
    var speed = Speed(factor: 1)

    @Option(
        help: ClassifierChoice.help, completion: ClassifierChoice.completion, transform: ClassifierChoice.parse)
    var classifier = ClassifierChoice.standard

    @Argument(help: SampleInput.help, completion: .file())
    var file: String

    @MainActor func run() async throws {
        let recording = try RecordedRun(SampleInput(file))
        let (ending, end) = AsyncStream.makeStream(of: Void.self)
        let signals = SignalWatch.endings { end.finish() }
        defer { withExtendedLifetime(signals) {} }
        let picture = view.liveView { end.finish() }
        defer { picture?.close() }
        let display: any WatchDisplay = picture ?? PlainLines(isJSON: view.json)
        let player = ReplayPlayer(recording, settings: classifier.settings, speed: speed.factor, display: display)
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
        if let damage = recording.damage { throw damage }
    }
}

/// How fast a recording is played.
struct Speed: ExpressibleByArgument {
    /// Infinite for as fast as possible.
    let factor: Double

    init(factor: Double) { self.factor = factor }

    init?(argument: String) {
        guard let number = argument == "max" ? .infinity : Double(argument), number > 0 else { return nil }
        factor = number
    }

    var defaultValueDescription: String { Decimal.text(factor, places: 0) }

    static var allValueStrings: [String] { ["0.5", "1", "4", "max"] }
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
        name =
            input.path == "-" ? "standard input" : input.path.split(separator: "/").last.map(String.init) ?? input.path
        var samples: [Sample] = []
        var device: String?
        do {
            try input.read {
                guard samples.count < Self.limit else {
                    throw Failure("\(input.path) has more than \(Self.limit) samples")
                }
                samples.append($0.sample)
            } began: {
                device = $0.device
            }
        } catch let failure as Failure where !samples.isEmpty && samples.count < Self.limit {
            damage = failure
        }
        guard !samples.isEmpty else { throw Failure("\(input.path == "-" ? name : input.path) has no samples") }
        (self.samples, self.device) = (samples, device)
    }
}
