// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrientationWire

/// The program `orientationctl`.
package enum Tool {
    /// Parses the arguments, runs the subcommand, and exits with its status.
    package static func run() async { await OrientationCtl.main() }
}

/// The entry: parse, run, exit status. Each subcommand is a file of its own.
struct OrientationCtl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "orientationctl",
        abstract: "Show and control the orientation of this device.",
        discussion: """
            Examples:
              orientationctl watch
              orientationctl doctor
            """,
        version: "orientationctl \(Version.current)",
        subcommands: [
            Status.self, Watch.self, Doctor.self, Sensors.self, Calibrate.self, Lock.self, Unlock.self, Simulate.self,
            Record.self, Replay.self, Classify.self, Plot.self, Convert.self,
        ])

    @OptionGroup var service: ServiceOptions

    /// Written by hand, and throwing nothing: every failure becomes one line and an exit status.
    static func main() async {
        var caller: (any AsksDaemon)?
        do {
            try SubcommandCheck.check(Array(CommandLine.arguments.dropFirst()), of: self)
            var command = try parseAsRoot()
            caller = command as? any AsksDaemon
            if var waiting = command as? any AsyncParsableCommand {
                try await waiting.run()
            } else {
                try command.run()
            }
        } catch {
            Glibc.exit(ExitStatus.report(error, of: caller))
        }
    }
}
