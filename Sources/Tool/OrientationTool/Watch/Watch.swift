// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationClient
import OrientationModel

/// `orientationctl watch`: shows the current state and each change.
struct Watch: AsyncParsableCommand, DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the orientation live",
        discussion: """
            On a terminal, draws the device, with the vector and the classifier's scales if the user may read the \
            samples; q or Ctrl-C ends. To a pipe or a file, and with --plain, prints a line for each state. Waits for a \
            daemon that does not run yet, and reconnects after a restart. With --count, waits up to a second for a first \
            orientation, as status does; --duration starts with the first state.

            --exec runs a shell command for the first state and for each different one that lasts for the time of \
            --debounce. One command runs at a time; after it, the newest state counts. The environment has ORIENTATION, \
            PREVIOUS_ORIENTATION, EDGE, PREVIOUS_EDGE, PANEL_EDGE, ROTATION, NATURAL, LOCKED, LOCKED_TO, TABLET_MODE, \
            TILT, DISTURBANCE, SENSOR, REASON, SEQUENCE and INSTANCE; unknown values are empty, booleans are 1 or 0.

            --waybar prints the lines of a custom module of waybar; see orientationctl(1) for its configuration.

            Examples:
              orientationctl watch
              orientationctl watch --json | jq -r .orientation
              orientationctl watch --exec 'notify-send "$ORIENTATION"'
            """)

    @Flag(help: "Print each state as a JSON object on one line")
    var json = false

    @Flag(help: "Print a line for each state, on a terminal too")
    var plain = false

    @Flag(name: .customLong("no-color"), help: "Use no colours, as with $NO_COLOR")
    var hasNoColour = false

    @Flag(help: "Print the local time with each state")
    var timestamps = false

    @Flag(help: "Print a line of JSON for waybar at each change")
    var waybar = false

    @Flag(help: "With --waybar: show only a suggested rotation while locked")
    var suggest = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Stop after this many states", valueName: "n"),
        transform: NumberRange(1...1_000_000_000, isWhole: true).parseWhole)
    var count: Int?

    @OptionGroup var time: RunTimeOption

    @Option(parsing: .unconditional, help: ArgumentHelp("Run a shell command at each change", valueName: "command"))
    var exec: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Time a state must last before --exec (default: 0.2)", valueName: "seconds"),
        transform: NumberRange(0...1_000_000).parse)
    var debounce: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Draw the scales of this classifier, not the daemon's", valueName: "name"),
        completion: ClassifierChoice.completion, transform: ClassifierChoice.parse)
    var classifier: ClassifierChoice?

    @ParentCommand var root: OrientationCtl
    @OptionGroup var socketOption: SocketOption

    var service: ServiceOptions { root.service }
    var socketPath: String? { socketOption.socket ?? root.service.socket }

    /// The number of states buffered for a slow pipe; more of them leave a gap in `sequence`.
    private static let backlog = 10_000

    func validate() throws {
        if let exec, exec.isEmpty { throw ValidationError("--exec: invalid value '': must be a shell command") }
        if json, plain { throw ValidationError("--json and --plain are mutually exclusive") }
        if waybar, json || plain || timestamps {
            throw ValidationError("--waybar and --json, --plain or --timestamps are mutually exclusive")
        }
        if suggest, !waybar { throw ValidationError("--suggest requires --waybar") }
        if debounce != nil, exec == nil { throw ValidationError("--debounce requires --exec") }
    }

    @MainActor func run() async throws {
        if root.service.timeout != nil {
            throw ValidationError("--timeout: not valid for watch, which waits for the daemon")
        }
        let (ending, end) = AsyncStream.makeStream(of: Void.self)
        let signals = SignalWatch.termination { end.finish() }
        defer { withExtendedLifetime(signals) {} }
        // A picture of one state would disappear at once.
        let isLive = count != 1 && !waybar && !json && !plain && Terminal.canShowPictures
        let picture = isLive ? LiveView(hasColours: !hasNoColour && Terminal.allowsColours) { end.finish() } : nil
        defer { picture?.close() }
        let lines = PlainLines(isJSON: json, hasTimestamps: timestamps)
        let display: any WatchDisplay =
            if let picture { picture } else if waybar { WaybarLines(suggests: suggest) } else { lines }
        // A picture and a bar show the newest state, lines show all states.
        let session = WatchSession(
            service: daemon, socketPath: socketPath,
            buffering: isLive || waybar ? .newest : .all(limit: Self.backlog),
            display: display, settings: classifier?.settings, wantsMotion: isLive,
            count: count, waitsForOrientation: waybar, stopsWhileLocked: waybar && !suggest,
            remedy: { remedy(for: .notConnected(reason: $0)) })
        if let exec { session.execute(exec, debounce: debounce ?? 0.2, capturesOutput: isLive) }
        let isComplete = try await session.run(until: ending, duration: time.duration)
        guard let picture, isComplete else { return }
        picture.close()
        try lines.show(session.device, after: .state)
    }
}
