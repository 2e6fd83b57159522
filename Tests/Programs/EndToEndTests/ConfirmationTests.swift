// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestServer
import TestSupport
import Testing

/// What commands print at their end.
@Suite(.serialized) struct ConfirmationTests {
    @Test func `each change is confirmed in one line, as JSON with --json, not at all with --quiet`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        try daemon.simulate("landscapeLeft")
        // The lock waits a second for a sensor that starts, which a loaded machine exceeds.
        let watch = try daemon.watch(until: "landscapeLeft")
        let lines = [
            (["simulate", "landscapeLeft"], "simulated device: held with right edge up"),
            (["lock"], "rotation lock: on (right edge up)"),
            (["lock", "PORTRAIT-PRIMARY"], "rotation lock: on (top edge up)"),
            (["lock", "--json", "top"], #"{"locked":true,"lockedTo":"portrait","panelEdge":"top"}"#),
            (["unlock"], "rotation lock: off"), (["unlock", "--json"], #"{"locked":false}"#),
            // Twice: as each command here, once more with --quiet.
            (["lock", "--toggle"], "rotation lock: on (right edge up)"),
            (["lock", "--toggle"], "rotation lock: on (right edge up)"),
            (["simulate", "turn", "FACEUP", "--duration", "0.1"], "simulated device: turning to face up"),
            (["simulate", "RIGHT"], "simulated device: held with right edge up"),
            (["simulate", "turn", "portrait-secondary"], "simulated device: turning to bottom edge up"),
            (["simulate", "read", "--", "0", "-9.81", "0"], "simulated device: reading 0, -9.81, 0 m/s²"),
            (["simulate", "shake"], "simulated device: shaking"),
            (["simulate", "read", "0", "-9.81", "-0.5"], "simulated device: reading 0, -9.81, -0.5 m/s²"),
            (["simulate", "tablet"], "simulated device: tablet mode is on"),
            (["simulate", "laptop"], "simulated device: tablet mode is off"),
            (["simulate", "fail", "silent"], "simulated device: all sensors fail, as requested: silent"),
            (["simulate", "fail", "--duration", "0"], "simulated device: no failure"),
            (["daemon", "--log-level", "DEBUG"], "log level: debug, until the daemon stops"),
            (["daemon", "--log-level", "trace", "--json"], #"{"logLevel":"trace"}"#),
        ]
        for (arguments, line) in lines {
            let run = try daemon.runTool(arguments)
            #expect(run.status == 0 && run.errors == "", "\(run.errors)")
            #expect(run.output == [line])
            // Behind "--" it would be an argument.
            guard !arguments.contains("--json"), !arguments.contains("--") else { continue }
            let quiet = try daemon.runTool(arguments + ["--quiet"])
            #expect(quiet.status == 0 && quiet.output == [])
        }
        withExtendedLifetime(watch) {}
    }

    @Test func `a recording and a picture are confirmed, and an existing file is not replaced`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        let (recording, picture) = (daemon.folder.path + "/a.rec", daemon.folder.path + "/a.svg")
        let report = daemon.folder.path + "/report.txt"
        let first = try daemon.record(to: recording)
        #expect(first.output.count == 1)
        #expect(first.output.first?.hasPrefix("\(recording): recorded ") == true)
        #expect(
            try RunningProgram.run(Programs.tool, ["plot", recording, "-o", picture]).output.first?.hasPrefix(
                "\(picture): drew ") == true)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: report))
        let commands = [
            ["record", recording], ["plot", recording, "-o", picture],
            ["doctor", "--duration", "0", "--report", report],
        ]
        for command in commands {
            func run(_ words: [String]) throws -> RunningProgram.Result {
                // `plot` calls no daemon, and refuses its options.
                try command[0] == "plot" ? RunningProgram.run(Programs.tool, words) : daemon.runTool(words)
            }
            let refused = try run(command)
            #expect(refused.status == 1)
            #expect(refused.errors.contains(": cannot write: file exists; use --overwrite to replace it"))
            if command[0] == "record" { continue }
            let replaced = try run(command + ["--overwrite"])
            #expect(replaced.status != 1, "\(replaced.errors)")
        }
        #expect(try String(contentsOfFile: report, encoding: .utf8) != "mine")
        let facts = try daemon.record("--overwrite", "--json", to: recording)
        #expect(facts.output.first?.hasPrefix("{\"file\":\"") == true)
        #expect(try daemon.record().errors.contains("standard output: recorded "))
        let json = try daemon.record("--json").errors
        #expect(json.hasPrefix(#"{"file":"-","#) && json.hasSuffix("}\n"), "\(json)")
        #expect(try daemon.record("--quiet").errors == "")
    }

    @Test func `all output in the locale C is ASCII`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        try daemon.simulate("read", "0.1", "-9.7", "0.3")
        for command in [
            ["status"], ["sensors"], ["doctor", "--all"], ["watch", "--count", "1"],
            ["simulate", "read", "0", "9", "0"],
        ] {
            let run = try RunningProgram.run(
                Programs.tool, toolOptions(daemon.socket, for: command[0]) + command, environment: ["LC_ALL": "C"])
            #expect((run.output.joined() + run.errors).utf8.allSatisfy { $0 < 0x80 }, "\(run)")
        }
    }

    @Test func `a sensor that is slower than --rate is reported`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        #expect(
            try daemon.record("--rate", "200", samples: 20).errors.contains(" samples per second instead of 200.0"))
    }
}
