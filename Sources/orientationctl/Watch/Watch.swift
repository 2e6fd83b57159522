// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationClient
import OrientationModel

/// `orientationctl watch`: the state now, and each change.
struct Watch: AsksDaemon {
    static let configuration = CommandConfiguration(
        abstract: "Show how the device is held, live, until q or Ctrl-C.",
        discussion: """
            On a terminal: a picture, with the vector, the scales of the classifier and where on them the device is, for \
            those who may see the samples. Into a pipe or a file, and with --plain: a line for each state. Waits for a \
            daemon that is not there yet, and goes on when it restarts.

            --exec runs a command of the shell for the first state and for each that differs from it, once the state has \
            lasted for the time of --debounce: one at a time, the newest state wins. The state is in its environment: \
            ORIENTATION, PREVIOUS_ORIENTATION, EDGE, PREVIOUS_EDGE, LOCKED, LOCKED_TO, TABLET_MODE, TILT, DISTURBANCE, \
            SENSOR, REASON, SEQUENCE and INSTANCE; what is absent is empty, yes and no are 1 and 0.

            Examples:
              orientationctl watch
              orientationctl watch --json | jq -r .orientation
              orientationctl watch --exec 'notify-send "$ORIENTATION"'
            """)

    @OptionGroup var view: ViewOptions

    @Option(help: ArgumentHelp("End after so many states.", valueName: "n"))
    var count: Int?

    @Option(help: ArgumentHelp("End so many seconds after the first state.", valueName: "seconds"))
    var duration: Double?

    @Option(
        help: ArgumentHelp(
            "Run this command of the shell on each change, with the state in its environment.", valueName: "command"),
        completion: .shellCommand("compgen -c"))
    var exec: String?

    @Option(help: ArgumentHelp("How long a state must last before --exec runs.", valueName: "seconds"))
    var debounce = 0.2

    @Option(
        help: ArgumentHelp(
            "Draw the bands of this classifier (standard, calm, quick, and changes) and not those that the daemon uses.",
            valueName: "name"),
        completion: ClassifierChoice.completion, transform: ClassifierChoice.parse)
    var classifier: ClassifierChoice?

    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    /// How many changes are kept for a pipe that is slow; what is beyond shows as a gap in `sequence`.
    private static let backlog = 10_000

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be 1 or more") }
        if let duration, !(duration > 0 && duration < 1e9) { throw ValidationError("--duration must be more than 0") }
        if !(debounce >= 0 && debounce < 1e6) { throw ValidationError("--debounce must be 0 or more") }
        if let exec, exec.isEmpty { throw ValidationError("--exec needs a command") }
    }

    @MainActor func run() async throws {
        let (ending, end) = AsyncStream.makeStream(of: Void.self)
        let signals = SignalWatch.endings { end.finish() }
        defer { withExtendedLifetime(signals) {} }
        let picture = view.liveView { end.finish() }
        defer { picture?.close() }
        // The picture shows what is; lines tell all that was.
        let session = WatchSession(
            socketPath: socketPath, buffering: view.isLive ? .newest : .all(limit: Self.backlog),
            display: picture ?? PlainLines(isJSON: view.json), settings: classifier?.settings, wantsMotion: view.isLive,
            count: count
        )
        if let exec { session.execute(exec, debounce: debounce, keepsOutput: view.isLive) }
        try await session.run(until: ending, duration: duration)
    }
}
