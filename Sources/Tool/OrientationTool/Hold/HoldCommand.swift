// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Dispatch
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
        if let appID, !DisplayInterface.isValid(appID: appID) {
            let isLong = appID.count > Self.printedCharacters
            let value = isLong ? "\(appID.prefix(Self.printedCharacters))…" : appID
            throw ValidationError(
                "--app-id: invalid value '\(value.replacingControls())': must have 1 to "
                    + "\(DisplayInterface.maximumAppIDLength) bytes and no control characters")
        }
    }

    @MainActor func run() async throws {
        let app = HeldApp(id: appID, HeldCommand.target(of: command))
        let held = orientations ?? OrientationList([landscape ? .landscape : .portrait])
        let quiet = quiet
        let hold = try HoldReporter(held, app, root.service) { if !quiet { StandardError.print($0) } }
        await hold.begin()
        let program: HeldProgram
        do {
            program = try HeldProgram(command)
        } catch let error as LaunchError {
            StandardError.print("\(error)")
            throw ExitCode(error.isNotFound ? 127 : 126)
        }
        let status = await program.end()
        hold.stop()
        if status != 0 { throw ExitCode(status) }
    }
}

extension DisplayHold.Report {
    /// What the user of `hold` can do about a failure; nil to start the agent, empty if the reason says it.
    var remedy: String? {
        guard case .failure(let error) = result else { return nil }
        if needsPermission { return "run this as the user of the session" }
        return switch error {
        case .untrusted: ""
        case .notConnected, .refused: nil
        default: "retrying"
        }
    }

    /// Whether no service listens, for example because it is not installed.
    fileprivate var isAbsence: Bool {
        if case .failure(.notConnected) = result { remedy == nil } else { false }
    }
}

/// Reports what the session agent, or without one the daemon, does with the hold for as long as the program runs.
@MainActor private final class HoldReporter {
    /// The timeout of the first reply. The program starts after the reply, in its orientation, or after the timeout.
    private let timeout: Duration
    private let app: HeldApp
    private let orientations: OrientationList
    private let report: (String) -> Void
    private let hold: DisplayHold
    private var source: (any DispatchSourceRead)?
    /// Why no agent holds, and what to do; nil while one may.
    private var agentFailure: (reason: String, remedy: String?)?
    private var reported: String?
    private let (answered, answer) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let (reports, received) = AsyncStream.makeStream(of: [DisplayHold.Report].self)
    /// How to start the agent. Detached: it waits for a program.
    private lazy var start = Task.detached {
        let autostart = Autostart.current
        return "start it with '\(autostart.now.command)'" + (autostart.atLogin.map { "; for each login: \($0)" } ?? "")
    }

    init(
        _ orientations: OrientationList, _ app: HeldApp, _ service: ServiceOptions, report: @escaping (String) -> Void
    ) throws {
        self.report = report
        timeout = .seconds(service.timeout ?? 2)
        self.app = app
        self.orientations = orientations
        let words = orientations.words.map(\.rawValue).joined(separator: ",")
        hold = try DisplayHold(socketPath: service.socket, appID: app.id, orientations: words)
        if Environment["XDG_RUNTIME_DIR"] == nil {
            let remedy = "run this in the graphical session, or set it to /run/user/\(getuid())"
            agentFailure = (Environment.noRuntimeDirectory, remedy)
        }
    }

    /// Starts to hold; returns after the first reply or failure.
    func begin() async {
        let source = DispatchSource.makeReadSource(fileDescriptor: hold.fileDescriptor, queue: .main)
        source.setEventHandler { [weak self] in
            MainActor.assumeIsolated {
                guard let self else { return }
                let reports = self.hold.process()
                if !reports.isEmpty { self.received.yield(reports) }
            }
        }
        self.source = source
        source.resume()
        // Both end with this program.
        Task { [reports] in for await each in reports { for report in each { await handle(report) } } }
        Task {
            // Nothing cancels it.
            try? await Task.sleep(for: timeout)
            guard reported == nil else { return }
            let reason = OrientationServiceError.timedOut(after: timeout).reason
            await fail(agentFailure == nil ? SessionDisplay.program : "orientationd", reason, remedy: "still waiting")
        }
        for await _ in answered { break }
    }

    func stop() { source?.cancel() }

    private func handle(_ report: DisplayHold.Report) async {
        switch (report.isByAgent, report.result) {
        case (true, .success(let reply)):
            agentFailure = nil
            await note(reply) {
                // The sentence says why the display has its orientation, but not what the hold does.
                ObstacleKind(in: reply)?.isForEveryApp == true
                    ? nil : "The hold applies while a window of the app is in front."
            }
        case (true, .failure(let error)):
            if Environment["XDG_RUNTIME_DIR"] != nil { agentFailure = (error.reason, nil) }
            // The reply of the daemon follows.
            if !report.isAbsence { await fail(SessionDisplay.program, error.reason, remedy: report.remedy) }
        case (false, .success(let reply)):
            await note(reply) {
                // Where no desktop follows the device, the agent is missing.
                SessionDisplay.rotatingDesktop == nil && ObstacleKind(in: reply) == .output
                    ? "Where no desktop rotates the display, orientation-autorotate does: \(await start.value)." : nil
            }
        case (false, .failure(let error)):
            if let desktop = SessionDisplay.rotatingDesktop {
                let remedy = report.remedy ?? SessionDisplay.holdAdvice(desktop)
                return await fail("orientationd", error.reason, remedy: remedy)
            }
            guard let agentFailure else { return }
            // A daemon that serves desktops refuses users without an active session.
            let refusal = if case .permissionDenied = error { ", and orientationd: \(error.reason)" } else { "" }
            await fail(SessionDisplay.program, agentFailure.reason + refusal, remedy: agentFailure.remedy)
        }
    }

    /// Reports the first reply, and that of a service that started later; `advice` follows a sentence if the hold does not
    /// apply.
    private func note(_ reply: JSONObject, advice: () async -> String?) async {
        if reported != "", case .string(var sentence)? = reply["sentence"] {
            reported = ""
            if reply["applies"] != .bool(true), let advice = await advice() { sentence += " " + advice }
            report("\(app) holds \(orientations)")
            if Self.isWide(reply), let warning = orientations.warning(natural: .landscapeLeft) {
                report("warning: \(warning)")
            }
            report(sentence)
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
            reported = reason
            let advice = if let remedy { remedy } else { await start.value }
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
