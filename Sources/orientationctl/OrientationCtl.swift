// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc

/// The entry: parse, run, exit status. Each subcommand is a file of its own.
@main
struct OrientationCtl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "orientationctl",
        abstract: "Ask how the device is held, and look into how that is decided.",
        discussion: """
            Examples:
              orientationctl watch
              orientationctl doctor
            """,
        subcommands: [
            Status.self, Watch.self, Doctor.self, Sensors.self, Calibrate.self, Lock.self, Unlock.self, Simulate.self,
            Record.self, Replay.self, Classify.self, Plot.self, Convert.self,
        ])

    @OptionGroup var service: ServiceOptions

    /// Written by hand, and throwing nothing: every failure becomes one line and an exit status.
    static func main() async {
        do {
            var command = try parseAsRoot()
            if var waiting = command as? any AsyncParsableCommand {
                try await waiting.run()
            } else {
                try command.run()
            }
        } catch {
            Glibc.exit(ExitStatus.report(error))
        }
    }
}
