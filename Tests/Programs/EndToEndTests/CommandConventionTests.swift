// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Conventions of all commands of the tool.
@Suite(.serialized) struct CommandConventionTests {
    static let commands = [
        "status", "watch", "doctor", "sensors", "calibrate", "display", "hold", "lock", "unlock", "record", "daemon",
    ]
    static let developerCommands = ["simulate", "classify", "plot", "convert"]

    @Test(arguments: commands + developerCommands)
    func `the help of each command has examples, and the man page describes it`(command: String) throws {
        let help = try RunningProgram.run(Programs.tool, ["help", command])
        #expect(help.status == 0)
        #expect(help.output.contains { $0.hasPrefix("Example") })
        #expect(help.output.contains { $0.contains("  orientationctl \(command)") })
        let page = try String(contentsOfFile: Programs.packageFolder + "/man/orientationctl.1", encoding: .utf8)
        #expect(page.split(separator: "\n").contains { $0.hasPrefix(".SS \(command) ") })
    }

    @Test(arguments: [("SUBCOMMANDS:", commands), ("DEVELOPER SUBCOMMANDS:", developerCommands)])
    func `the list of commands is complete, and those for developers are a group`(
        title: String, commands: [String]
    ) throws {
        let help = try RunningProgram.run(Programs.tool, ["--help"]).output
        let listed = help.drop { $0 != title }.dropFirst().prefix { !$0.isEmpty }
            .filter { !$0.hasPrefix("   ") }.compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(listed == commands)
    }

    @Test(arguments: ["status", "watch", "doctor", "sensors", "calibrate", "display", "daemon", "classify"])
    func `commands that print facts have --json, also in the man page`(command: String) throws {
        #expect(try RunningProgram.run(Programs.tool, ["help", command]).output.contains { $0.hasPrefix("  --json ") })
        let page = try String(contentsOfFile: Programs.packageFolder + "/man/orientationctl.1", encoding: .utf8)
        let section = page.split(separator: "\n").drop { !$0.hasPrefix(".SS \(command) ") }.dropFirst()
            .prefix { !$0.hasPrefix(".SS ") && !$0.hasPrefix(".SH ") }
        #expect(section.contains { $0.contains("\\-\\-json") })
    }

    @Test func `progress is shown on a terminal only, and cleared at the end`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        let file = daemon.folder.path + "/walk.rec"
        let window = try TerminalWindow(80, 24, [Programs.tool] + toolOptions(daemon.socket) + ["record", file])
        try window.until("recording: ", " samples")
        try window.type("\u{3}")
        #expect(try window.end() == 0)
        let screen = try window.until("recorded ")
        #expect(screen.first?.hasPrefix(file) == true && !screen.joined().contains("recording: "))
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.split(separator: "\n").last?.hasPrefix("# samples: ") == true)
        #expect(try daemon.record("--overwrite", to: file).errors.isEmpty)
    }

    @Test func `under nohup the tool survives SIGHUP`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        let watch = try RunningProgram(
            "/bin/sh",
            ["-c", "trap '' HUP; exec \"$@\"", "sh", Programs.tool] + toolOptions(daemon.socket, for: "watch") + [
                "watch", "--json",
            ])
        #expect(try daemon.runTool("simulate", "faceDown").status == 0)
        _ = try watch.states(until: "faceDown")
        watch.send(SIGHUP)
        #expect(try daemon.runTool("simulate", "landscapeLeft").status == 0)
        _ = try watch.states(until: "landscapeLeft")
        watch.send(SIGTERM)
        #expect(watch.wait() == 0)
    }
}
