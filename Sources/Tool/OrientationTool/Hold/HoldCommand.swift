// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Dispatch
import Glibc
import OrientationClient
import OrientationModel
import OrientationWire
import Posix

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
            throw ValidationError(
                "--app-id: invalid value '\(appID.shortened.replacingControls())': must have 1 to "
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

/// Prints what the session agent, or without one the daemon, does with the hold for as long as the program runs.
@MainActor private final class HoldReporter {
    /// The timeout of the first reply. The program starts after the reply, in its orientation, or after the timeout.
    private let timeout: Duration
    private let report: (String) -> Void
    private let hold: DisplayHold
    private var progress: HoldProgress
    private var source: (any DispatchSourceRead)?
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
        progress = HoldProgress(app: app, orientations: orientations)
        let words = orientations.words.map(\.rawValue).joined(separator: ",")
        hold = try DisplayHold(socketPath: service.socket, appID: app.id, orientations: words)
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
        Task { [reports] in
            for await each in reports { for report in each { await print(progress.handle(report)) } }
        }
        Task {
            // Nothing cancels it.
            try? await Task.sleep(for: timeout)
            await print(progress.timedOut(after: timeout))
        }
        for await _ in answered { break }
    }

    func stop() { source?.cancel() }

    private func print(_ lines: [HoldProgress.Line]) async {
        for line in lines {
            let advice = if let end = line.end { await start.value + end } else { "" }
            report(line.text + advice)
        }
        if progress.phase != .waiting { answer.yield() }
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
    /// Parses words that are separated by commas, also iio-sensor-proxy's for edges; case is ignored.
    @Sendable static func parse(_ text: String) throws -> OrientationList {
        do throws(UnknownWord) {
            return try OrientationList(
                text.split(separator: ",", omittingEmptySubsequences: false).map { word in
                    let edge = PanelEdge.allCases.first { OrientationWord.matches($0.sensorProxyName, String(word)) }
                    return edge?.description ?? String(word)
                })
        } catch {
            let hint = WordList.orientations.hint
            // The message begins with the whole list.
            throw ValidationError(error.word == text ? hint : "'\(error.word)': \(hint)")
        }
    }
}
