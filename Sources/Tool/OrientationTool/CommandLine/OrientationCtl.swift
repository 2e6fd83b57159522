// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrientationClient
import OrientationModel
import OrientationWire
import Posix

package enum Tool {
    /// Parses the arguments, runs the subcommand, and exits with its status.
    @MainActor package static func run() async { await OrientationCtl.main() }
}

/// The root command. Each subcommand is in a file of its own.
struct OrientationCtl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "orientationctl",
        abstract: "Show and control the orientation of this device",
        discussion: """
            Without a command: print the state and what to do next.

            Examples:
              orientationctl watch
              orientationctl doctor
            """,
        version: "orientationctl \(Version.current)",
        subcommands: [
            Status.self, Watch.self, Doctor.self, Sensors.self, Calibrate.self, Display.self, HoldCommand.self,
            Lock.self, Unlock.self, Record.self, DaemonStatus.self,
        ],
        groupedSubcommands: [
            CommandGroup(
                name: "Developer",
                subcommands: [Simulate.self, Classify.self, Plot.self, Convert.self])
        ])

    @Flag(name: .customShort("V"), help: "Print the version")
    var showsVersion = false

    @OptionGroup var service: ServiceOptions

    func validate() throws {
        if showsVersion { throw CleanExit.message(Self.configuration.version) }
    }

    @MainActor func run() async throws {
        do {
            let state = try calls.state()
            try TextOutput.print(Overview.head(state))
            // Takes seconds if the compositor hangs.
            let display = SessionDisplay.facts()
            // Users who may move a simulated device may also ask for the status: others are refused.
            let maySimulate =
                state.sensor?.hasPrefix("fake:") == true && (try? calls.call(ControlInterface.status)) != nil
            let overview = Overview(
                state: state, missingAgent: display.missingAgent(.current), laptopNote: display.laptopNote(state),
                maySimulate: maySimulate)
            try TextOutput.print(overview.text)
        } catch let error as OrientationServiceError {
            let status = ExitStatus.report(error, of: self)
            try TextOutput.print(Overview(state: nil, start: reach?.command).text)
            throw ExitCode(status)
        }
    }

    /// Replaces ArgumentParser's `main()`: reports every failure as one line and an exit status. On the main thread: without
    /// `/proc`, Dispatch's monitor of its other threads crashes.
    @MainActor static func main() async {
        StandardDescriptors.requireOthers { StandardError.print($0) }
        let arguments = Array(ProcessArguments.read { StandardError.print($0) }.dropFirst())
        var caller: (any DaemonCommand)?
        do {
            try check(arguments)
            var command = try parseAsRoot(arguments)
            if let local = command as? any LocalCommand { try local.root.service.refuse(for: local) }
            caller = command as? any DaemonCommand
            if var waiting = command as? any AsyncParsableCommand {
                try await waiting.run()
            } else {
                try command.run()
            }
        } catch {
            Glibc.exit(ExitStatus.report(error, of: caller))
        }
    }

    /// Refuses an unknown command, and `--socket=`, as in `--socket=$UNSET`, for which the library takes the next word: the subcommand.
    private static func check(_ arguments: [String]) throws {
        // The library calls an unknown command an unexpected argument, and ignores it after `help`.
        let names = WordList(configuration.subcommands.map { $0._commandName })
        let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
        if let word = words.first, !word.hasPrefix("-"), !names.words.contains(word) {
            throw ValidationError("unknown command '\(word)': \(names.hint)")
        }
        // `simulate` has a word `hold`.
        let first = arguments.first { ["hold", "simulate"].contains($0) }
        let own = arguments.prefix { $0 != "--" && ($0 != "hold" || first != "hold") }
        for option in ["--socket", "--timeout"] where own.contains(where: { "\(option)=".utf8.elementsEqual($0.utf8) })
        {
            throw ValidationError("\(option): must not be empty")
        }
    }
}

extension OrientationCtl: DaemonCommand {
    var root: OrientationCtl { self }
}
