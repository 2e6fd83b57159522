// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The tool and a daemon that accepts connections without replying: one that SIGSTOP stopped.
@Suite(.serialized) struct HangingDaemonTests {
    private let daemon: RunningDaemon

    init() throws {
        daemon = try RunningDaemon(["--sensor", "fake:"])
    }

    private func run(_ arguments: [String]) throws -> (status: Int32, output: [String], errors: String) {
        try RunningProgram.run(Programs.tool, ["--socket", daemon.socket, "--timeout", "0.2"] + arguments)
    }

    @Test func `every call fails after the timeout, with the cause and the remedy`() throws {
        daemon.program.send(SIGSTOP)
        defer { daemon.program.send(SIGCONT) }
        let commands = [
            ["status"], ["sensors"], ["lock"], ["unlock"], ["simulate", "portrait"], ["simulate", "shake"],
            ["record", daemon.folder.path + "/walk.rec"],
            ["record", "--duration", "0.01", daemon.folder.path + "/walk.rec"],
        ]
        for command in commands {
            let result = try run(command)
            #expect(result.status == 1, "\(command)")
            #expect(
                result.errors.contains("orientationd: timed out: no reply within 0.2 s; restart that"), "\(command)")
            #expect(result.errors.filter(\.isNewline).count == 1, "\(command)")
        }
    }

    @Test func `a hold by the daemon waits as long as --timeout says`() throws {
        daemon.program.send(SIGSTOP)
        defer { daemon.program.send(SIGCONT) }
        let run = try RunningProgram.run(
            Programs.tool,
            ["--socket", daemon.socket, "--timeout", "0.2", "hold", "--landscape", "echo", "held"],
            environment: ["XDG_RUNTIME_DIR": ""])
        #expect(run.status == 0 && run.output == ["held"])
        #expect(run.errors.contains("orientationd: cannot hold the orientation: timed out: no reply within 0.2 s"))
    }

    @Test func `a recording ends when the daemon stops replying, and is complete up to there`() throws {
        let path = daemon.folder.path + "/walk.rec"
        let recording = try RunningProgram(
            Programs.tool, ["--socket", daemon.socket, "record", "--timeout", "10", path])
        #expect(eventually { (try? String(contentsOfFile: path, encoding: .utf8))?.contains("\n1") == true })
        daemon.program.send(SIGSTOP)
        defer { daemon.program.send(SIGCONT) }
        #expect(recording.wait() == 1)
        #expect(recording.errorText.contains("timed out: no reply within 10 s"))
        let classified = try RunningProgram.run(Programs.tool, ["classify", path])
        #expect(classified.status == 0)
        #expect(!classified.output.isEmpty)
    }

    @Test(arguments: [["watch", "--count", "1"], ["watch", "--plain"], ["watch", "--waybar"]])
    func `watch of a daemon that never replied says so, and prints the state when it replies`(command: [String]) throws
    {
        daemon.program.send(SIGSTOP)
        let lines = try RunningProgram(Programs.tool, ["--socket", daemon.socket] + command)
        if command.last == "--waybar" {
            #expect(try lines.line()?.contains("timed out: no reply within 5 s") == true)
        } else {
            let sentence = "orientationd: not connected: timed out: no reply within 5 s; retrying"
            #expect(eventually { lines.errorText.contains(sentence) })
        }
        daemon.program.send(SIGCONT)
        #expect(try lines.line()?.contains(command.last == "--waybar" ? "portrait" : "top edge up") == true)
        // With --count it ends by itself, possibly before the signal is handled.
        if !command.contains("--count") { lines.send(SIGTERM) }
        #expect(lines.wait() == 0)
    }
}
