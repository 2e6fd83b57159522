// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import InterfaceRotation
import OrientationClient
import OrientationModel
import OrientationWire
import Posix
import Varlink

/// `orientationctl hold`: runs a program and holds orientations of the display while it runs.
struct Hold: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hold orientations of the display while a program runs",
        discussion: """
            The hold applies while a window of the app is in front. Needs a running orientation-autorotate, or a \
            desktop that rotates the display itself and the package orientationd-sensorproxy: there the hold applies \
            while the program runs. Without them the program still runs.

            The exit status is that of the program, or 128 plus the number of the signal that killed it; 127 if it \
            was not found.

            Examples:
              orientationctl hold --landscape mpv film.mkv
              orientationctl hold --orientations portrait,landscape-primary --app-id org.gnome.Evince -- evince
            """)

    @Flag(help: "Hold both landscape orientations") var landscape = false
    @Flag(help: "Hold both portrait orientations") var portrait = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Orientations to hold, separated by commas", discussion: WordList.orientations.help, valueName: "list"),
        completion: .list(WordList.orientations.words), transform: OrientationList.parse)
    var orientations: OrientationList?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "App ID of the program's windows",
            discussion: """
                Default: that of flatpak run or gtk-launch, else the ID of the desktop file whose Exec names the \
                program, else the name of the program, which is a guess.
                """, valueName: "id"))
    var appID: String?

    @Flag(help: "Print no messages about the hold") var quiet = false

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("Program to run, with its arguments; -- may precede it", valueName: "command"))
    var words: [String] = []

    private var command: [String] { words.first == "--" ? Array(words.dropFirst()) : words }

    /// The length of an invalid app ID in messages, in characters.
    private static let printedCharacters = 40

    func validate() throws {
        switch [landscape, portrait, orientations != nil].count(where: \.self) {
        case 0: throw ValidationError("one of --landscape, --portrait and --orientations is required")
        case 1: break
        default: throw ValidationError("--landscape, --portrait and --orientations are mutually exclusive")
        }
        if let word = words.first, word.hasPrefix("-"), word != "--" {
            throw ValidationError("unknown option '\(word)'; the program follows the options of hold")
        }
        guard command.first?.isEmpty == false else { throw ValidationError("a program is required") }
        if let appID, !SessionInterface.isValid(appID: appID) {
            let isLong = appID.count > Self.printedCharacters
            let value = isLong ? "\(appID.prefix(Self.printedCharacters))…" : appID
            throw ValidationError(
                "--app-id: invalid value '\(value.replacingControls())': must have 1 to "
                    + "\(SessionInterface.maximumAppIDLength) bytes and no control characters")
        }
    }

    @MainActor func run() async throws {
        let app = HeldApp(id: appID, HeldCommand.target(of: command))
        let held = orientations ?? OrientationList([landscape ? .landscape : .portrait])
        let quiet = quiet
        let connection = HoldConnection(held, app) { if !quiet { StandardError.print($0) } }
        await connection.start()
        let program: HeldProgram
        do {
            program = try HeldProgram(command)
        } catch let error as LaunchError {
            StandardError.print("\(error)")
            throw ExitCode(error.isNotFound ? 127 : 126)
        }
        let status = await program.end()
        connection.stop()
        if status != 0 { throw ExitCode(status) }
    }
}

extension OrientationServiceError {
    /// What the user of `hold` can do; nil to start the agent, empty if the reason says it.
    var holdRemedy: String? {
        switch self {
        case .notConnected where saysWhatToDo: ""
        case .notConnected(let reason) where reason.hasSuffix(String(cString: strerror(EACCES))):
            "run this as the user of the session"
        case .permissionDenied: "run this as the user of the session"
        case .notConnected, .refused: nil
        default: "retrying"
        }
    }
}

/// The connection to the session agent, or without one to the daemon, for as long as the program runs; connects again when
/// the service restarts, and to an agent that starts later.
@MainActor private final class HoldConnection {
    /// The timeout of the first reply. The program starts after the reply, in its orientation, or after the timeout.
    private static let timeout = Duration.seconds(2)

    private typealias Holder = (name: String, service: OrientationService)

    private let agent: Holder?
    private let daemon: Holder = ("orientationd", OrientationService())
    private let app: HeldApp
    private let orientations: OrientationList
    private let report: (String) -> Void
    private var work: Task<Void, Never>?
    private var reported: String?
    private var backoff = ExponentialBackoff(initial: 0.5, maximum: 8)
    private let (answered, answer) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(_ orientations: OrientationList, _ app: HeldApp, report: @escaping (String) -> Void) {
        self.report = report
        self.app = app
        self.orientations = orientations
        agent = Environment["XDG_RUNTIME_DIR"].flatMap {
            $0.isEmpty ? nil : ("orientation-autorotate", OrientationService(agentIn: $0))
        }
    }

    /// Starts to hold; returns after the first reply or failure.
    func start() async {
        guard let agent else {
            return fail(
                "orientation-autorotate", "XDG_RUNTIME_DIR is not set",
                remedy: "run this in the graphical session, or set it to /run/user/\(getuid())")
        }
        work = Task { await hold(by: agent) }
        for await _ in answered { break }
    }

    func stop() { work?.cancel() }

    private func hold(by agent: Holder) async {
        while !Task.isCancelled {
            let failure = await replies(of: agent) {
                note($0, advice: "The hold applies while a window of the app is in front.")
            }
            if case .notConnected? = failure, let failure, failure.holdRemedy == nil {
                await holdByDaemon(without: agent, failure)
            } else {
                fail(agent.name, failure?.reason ?? "the connection ended", remedy: failure?.holdRemedy)
            }
            // Retry: the agent may start later.
            try? await Task.sleep(for: .seconds(backoff.next()))
        }
    }

    /// Holds until the connection to the daemon ends, or until an agent runs.
    private func holdByDaemon(without agent: Holder, _ failure: OrientationServiceError) async {
        let held = Task {
            // Where no desktop follows the device, the agent is missing.
            let advice = Self.desktop == nil ? "Without one, orientation-autorotate rotates it: \(Self.start)." : nil
            guard let end = await replies(of: daemon, { note($0, advice: advice) }) else { return }
            guard let desktop = Self.desktop else { return fail(agent.name, failure.reason) }
            let package = "\(desktop) rotates the display itself; install the package orientationd-sensorproxy"
            fail(daemon.name, end.reason, remedy: end.holdRemedy ?? package)
        }
        let search = Task {
            while (try? await Task.sleep(for: .seconds(backoff.next()))) != nil {
                guard (try? await agent.service.call("org.varlink.service.GetInfo")) != nil else { continue }
                reported = nil
                return held.cancel()
            }
        }
        await held.value
        search.cancel()
    }

    /// Holds until the connection ends; returns the error, nil without one.
    private func replies(of holder: Holder, _ note: (JSONObject) -> Void) async -> OrientationServiceError? {
        let parameters: JSONObject = [
            "appId": .string(app.id), "supported": .array(orientations.words.map { .string($0.rawValue) }),
        ]
        let limit = Task {
            try? await Task.sleep(for: Self.timeout)
            let timedOut = OrientationServiceError.timedOut(after: Self.timeout)
            fail(holder.name, timedOut.reason, remedy: "still waiting")
        }
        defer { limit.cancel() }
        do {
            for try await reply in holder.service.replies(to: SessionInterface.hold, parameters) {
                limit.cancel()
                backoff.reset()
                note(reply)
            }
            return nil
        } catch {
            return OrientationServiceError(error)
        }
    }

    /// Reports the first reply, and that of a service that started later; `advice` follows a sentence if the hold does not
    /// apply.
    private func note(_ reply: JSONObject, advice: String?) {
        if reported == nil || reported?.isEmpty == false, case .string(let sentence)? = reply["sentence"] {
            report("\(app) holds \(orientations)")
            if Self.isWide(reply), let warning = orientations.warning(natural: .landscapeLeft) {
                report("warning: \(warning)")
            }
            // The sentence then says why the display has its orientation, but not what the hold does.
            let isComplete = reply["applies"] == .bool(true) || ObstacleKind(in: reply)?.isForEveryApp == true
            report(isComplete ? sentence : sentence + (advice.map { " " + $0 } ?? ""))
            reported = ""
        }
        answer.yield()
    }

    /// Whether the display has its orientation at the rotation of a wide panel.
    private static func isWide(_ reply: JSONObject) -> Bool {
        guard case .string(let name)? = reply["orientation"], let orientation = InterfaceOrientation(name) else {
            return false
        }
        return reply["rotation"] == .integer(Int64(DisplayRotation(orientation, on: .wide).panelEdge.rotation))
    }

    private func fail(_ service: String, _ reason: String, remedy: String? = nil) {
        guard !Task.isCancelled else { return }
        if reported != reason {
            reported = reason
            let remedy = remedy ?? Self.start
            let advice = remedy.isEmpty ? "" : "; \(remedy)"
            report("\(service): cannot hold the orientation: \(reason)\(advice)")
        }
        answer.yield()
    }

    /// How to start the agent.
    private static var start: String {
        let autostart = Autostart.current
        return "start it with '\(autostart.now)'" + (autostart.atLogin.map { "; for each login: \($0)" } ?? "")
    }

    /// The desktop of this session, if it rotates the display itself.
    private static var desktop: String? {
        let names = (Environment["XDG_CURRENT_DESKTOP"] ?? "").split(separator: ":")
        // GNOME is the second name of others.
        return ["Phosh", "Budgie", "X-Cinnamon", "KDE", "GNOME"].first { names.contains(Substring($0)) }
    }
}

/// The program, in the foreground of the terminal. Signals to this process are sent to it.
@MainActor private final class HeldProgram {
    private let program: LaunchedProgram
    private var watches: [SignalWatch] = []
    private var status: Int32?
    private var waiting: CheckedContinuation<Int32, Never>?

    init(_ command: [String]) throws {
        program = try LaunchedProgram(command, input: .inherited)
        watches = [SignalWatch(SIGCHLD) { [weak self] in self?.reap() }]
        let identifier = program.identifier
        // The terminal sends these to all processes in the foreground: a second one could mean more to the program.
        let fromTerminal = tcgetpgrp(STDIN_FILENO) == getpgrp() ? [SIGINT, SIGQUIT] : []
        for signal in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] {
            watches.append(SignalWatch(signal) { if !fromTerminal.contains(signal) { kill(identifier, signal) } })
        }
        reap()
    }

    /// Waits for the end; returns the exit status as shells do.
    func end() async -> Int32 {
        if let status { return status }
        return await withCheckedContinuation { waiting = $0 }
    }

    private func reap() {
        guard status == nil, let end = program.end() else { return }
        status = end.exitStatus
        waiting?.resume(returning: end.exitStatus)
    }
}

extension OrientationList {
    /// Parses words that are separated by commas; case is ignored.
    @Sendable static func parse(_ text: String) throws -> OrientationList {
        do throws(UnknownWord) {
            return try OrientationList(text.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
        } catch {
            let hint = WordList.orientations.hint(error.word)
            // The message begins with the whole list.
            throw ValidationError(error.word == text ? hint : "'\(error.word)': \(hint)")
        }
    }
}
