// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationClient
import OrientationModel

/// `orientationctl watch`: the current state and each change.
struct Watch: AsksDaemon {
    static let configuration = CommandConfiguration(
        abstract: "Show the orientation live, until q or Ctrl-C.",
        discussion: """
            On a terminal it draws the device, with the vector and the classifier's scales if the user may read the \
            samples. Into a pipe or a file, and with --plain, it prints a line for each state. It waits for a daemon that \
            does not run yet, and goes on when it restarts. With --count, a first state without an orientation gets a \
            second to become one, as with status.

            --exec runs a shell command for the first state and for each that differs from it, once the state has lasted \
            as long as --debounce says: one at a time, the newest state wins. The state is in its environment: \
            ORIENTATION, PREVIOUS_ORIENTATION, EDGE, PREVIOUS_EDGE, LOCKED, LOCKED_TO, TABLET_MODE, TILT, DISTURBANCE, \
            SENSOR, REASON, SEQUENCE and INSTANCE; what is absent is empty, yes and no are 1 and 0.

            Examples:
              orientationctl watch
              orientationctl watch --json | jq -r .orientation
              orientationctl watch --exec 'notify-send "$ORIENTATION"'
            """)

    @OptionGroup var view: ViewOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("End after this many states.", valueName: "n"), transform: NumberRange.count.parseWhole)
    var count: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("End this long after the first state.", valueName: "seconds"),
        transform: NumberRange.runTime.parse)
    var duration: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Run this shell command at each change.", valueName: "command"),
        completion: .shellCommand("compgen -c"))
    var exec: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long a state lasts before --exec; 0.2 without it.", valueName: "seconds"),
        transform: NumberRange.pause.parse)
    var debounce: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Draw the bands of this classifier, not the daemon's.", valueName: "name"),
        completion: ClassifierChoice.completion, transform: ClassifierChoice.parse)
    var classifier: ClassifierChoice?

    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    /// How many changes are kept for a slow pipe; beyond them there is a gap in `sequence`.
    private static let backlog = 10_000

    func validate() throws {
        if let exec, exec.isEmpty { throw ValidationError("--exec needs a command") }
        if debounce != nil, exec == nil { throw ValidationError("--debounce belongs to --exec") }
    }

    @MainActor func run() async throws {
        let (ending, end) = AsyncStream.makeStream(of: Void.self)
        let signals = SignalWatch.endings { end.finish() }
        defer { withExtendedLifetime(signals) {} }
        let picture = view.liveView { end.finish() }
        defer { picture?.close() }
        // The picture shows the newest state, lines show all.
        let session = WatchSession(
            service: daemon, socketPath: socketPath, remedy: remedy,
            buffering: view.isLive ? .newest : .all(limit: Self.backlog),
            display: picture ?? view.lines, settings: classifier?.settings, wantsMotion: view.isLive,
            count: count)
        if let exec { session.execute(exec, debounce: debounce ?? 0.2, keepsOutput: view.isLive) }
        try await session.run(until: ending, duration: duration)
    }
}
