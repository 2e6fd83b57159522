// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrientationClient
import OrientationModel
import OrientationRules
import OrientationWire
import Posix
import Varlink

/// `orientationctl hold`: runs a program and holds orientations of the display while it runs.
struct HoldCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold",
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

    @ParentCommand var root: OrientationCtl

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("Program to run, with its arguments; -- may precede it", valueName: "command"))
    var words: [String] = []

    private var command: [String] { words.first == "--" ? Array(words.dropFirst()) : words }

    /// The length of an invalid app ID in messages, in characters.
    private static let printedCharacters = 40

    func validate() throws {
        switch words.first {
        // The words that `hold` captures have the library's own options, too.
        case "--help", "-h": throw CleanExit.helpRequest(self)
        case "--version", "-V": throw CleanExit.message(OrientationCtl.configuration.version)
        case let word? where ["--socket", "--timeout"].contains(word.prefix { $0 != "=" }):
            throw ValidationError("\(word.prefix { $0 != "=" }) must precede hold")
        case let word? where word.hasPrefix("-") && word != "--":
            throw ValidationError("unknown option '\(word)'; the program follows the options of hold")
        default: break
        }
        switch [landscape, portrait, orientations != nil].count(where: \.self) {
        case 0: throw ValidationError("one of --landscape, --portrait and --orientations is required")
        case 1: break
        default: throw ValidationError("--landscape, --portrait and --orientations are mutually exclusive")
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
        let connection = HoldConnection(held, app, root.service) { if !quiet { StandardError.print($0) } }
        await connection.begin()
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
    private let timeout: Duration

    private typealias Holder = (name: String, service: OrientationService)

    private let agent: Holder?
    private let daemon: Holder
    private let app: HeldApp
    private let orientations: OrientationList
    private let report: (String) -> Void
    private var holdByAgent: Task<Void, Never>?
    /// Exists while no agent runs.
    private var holdByDaemon: Task<Void, Never>?
    private var reported: String?
    private let (answered, answer) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// How to start the agent. Detached: it waits for a program.
    private lazy var start = Task.detached {
        let autostart = Autostart.current
        return "start it with '\(autostart.now)'" + (autostart.atLogin.map { "; for each login: \($0)" } ?? "")
    }

    init(
        _ orientations: OrientationList, _ app: HeldApp, _ service: ServiceOptions, report: @escaping (String) -> Void
    ) {
        self.report = report
        timeout = .seconds(service.timeout ?? 2)
        daemon = ("orientationd", OrientationService(socketPath: service.socket))
        self.app = app
        self.orientations = orientations
        agent = Environment["XDG_RUNTIME_DIR"].map { (SessionDisplay.program, OrientationService(agentIn: $0)) }
    }

    /// Starts to hold; returns after the first reply or failure.
    func begin() async {
        if let agent {
            holdByAgent = Task { await hold(by: agent) }
        } else {
            let remedy = "run this in the graphical session, or set it to /run/user/\(getuid())"
            holdByDaemon = Task { await hold(withoutAgent: "XDG_RUNTIME_DIR is not set", remedy: remedy) }
        }
        for await _ in answered { break }
    }

    func stop() {
        holdByAgent?.cancel()
        holdByDaemon?.cancel()
    }

    private func hold(by agent: Holder) async {
        await hold(by: agent) { reply in
            endHoldByDaemon()
            await note(reply) {
                // The sentence says why the display has its orientation, but not what the hold does.
                ObstacleKind(in: reply)?.isForEveryApp == true
                    ? nil : "The hold applies while a window of the app is in front."
            }
        } ended: { failure in
            guard case .notConnected? = failure, let failure, failure.holdRemedy == nil else {
                endHoldByDaemon()
                return await fail(agent.name, failure?.reason ?? "the connection ended", remedy: failure?.holdRemedy)
            }
            if holdByDaemon == nil { holdByDaemon = Task { await hold(withoutAgent: failure.reason) } }
            // No agent starts later where the desktop rotates the display.
            if SessionDisplay.rotatingDesktop != nil { holdByAgent?.cancel() }
        }
    }

    /// Ends the hold of the daemon, if there is one: an agent runs.
    private func endHoldByDaemon() {
        guard let task = holdByDaemon else { return }
        task.cancel()
        (holdByDaemon, reported) = (nil, nil)
    }

    /// Holds by the daemon; `reason` and `remedy` say why no agent holds, and what to do.
    private func hold(withoutAgent reason: String, remedy: String? = nil) async {
        await hold(by: daemon) { reply in
            await note(reply) {
                // Where no desktop follows the device, the agent is missing.
                SessionDisplay.rotatingDesktop == nil && ObstacleKind(in: reply) == .output
                    ? "Where no desktop rotates the display, orientation-autorotate does: \(await start.value)." : nil
            }
        } ended: { end in
            guard let end else { return }
            guard let desktop = SessionDisplay.rotatingDesktop else {
                // A daemon that serves desktops refuses users without an active session.
                let refusal = if case .permissionDenied = end { ", and \(daemon.name): \(end.reason)" } else { "" }
                return await fail(SessionDisplay.program, reason + refusal, remedy: remedy)
            }
            await fail(daemon.name, end.reason, remedy: end.holdRemedy ?? SessionDisplay.holdAdvice(desktop))
        }
    }

    /// Holds until the task is cancelled, again after each end of the connection.
    private func hold(
        by holder: Holder, _ note: (JSONObject) async -> Void, ended: (OrientationServiceError?) async -> Void
    ) async {
        let parameters: JSONObject = [
            "appId": .string(app.id), "supported": .array(orientations.words.map { .string($0.rawValue) }),
        ]
        var backoff = ExponentialBackoff(initial: 0.5, maximum: 8)
        while !Task.isCancelled {
            let limit = Task {
                // Cancelled by the first reply.
                guard (try? await Task.sleep(for: timeout)) != nil else { return }
                let timedOut = OrientationServiceError.timedOut(after: timeout)
                await fail(holder.name, timedOut.reason, remedy: "still waiting")
            }
            var failure: OrientationServiceError?
            do {
                for try await reply in holder.service.replies(to: SessionInterface.hold, parameters) {
                    limit.cancel()
                    backoff.reset()
                    await note(reply)
                }
            } catch {
                failure = OrientationServiceError(error)
            }
            limit.cancel()
            guard !Task.isCancelled else { return }
            await ended(failure)
            // Cancelled at the end, which the loop checks.
            try? await Task.sleep(for: .seconds(backoff.next()))
        }
    }

    /// Reports the first reply, and that of a service that started later; `advice` follows a sentence if the hold does not
    /// apply.
    private func note(_ reply: JSONObject, advice: () async -> String?) async {
        if reported != "", case .string(var sentence)? = reply["sentence"] {
            if reply["applies"] != .bool(true), let advice = await advice() { sentence += " " + advice }
            guard !Task.isCancelled else { return }
            report("\(app) holds \(orientations)")
            if Self.isWide(reply), let warning = orientations.warning(natural: .landscapeLeft) {
                report("warning: \(warning)")
            }
            report(sentence)
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

    /// Reports a failure with what to do, by default how to start the agent.
    private func fail(_ service: String, _ reason: String, remedy: String? = nil) async {
        if reported != reason {
            var advice = remedy ?? ""
            if remedy == nil { advice = await start.value }
            guard !Task.isCancelled else { return }
            reported = reason
            report("\(service): cannot hold the orientation: \(reason)\(advice.isEmpty ? "" : "; \(advice)")")
        }
        answer.yield()
    }
}

/// The program, in the foreground of the terminal. Signals to this process are sent to it.
@MainActor private final class HeldProgram {
    private let program: LaunchedProgram
    private var watches: [SignalWatch] = []
    private var status: Int32?
    private var waiting: CheckedContinuation<Int32, Never>?

    init(_ command: [String]) throws {
        SignalWatch.prepare()
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
            let hint = WordList.orientations.hint
            // The message begins with the whole list.
            throw ValidationError(error.word == text ? hint : "'\(error.word)': \(hint)")
        }
    }
}
