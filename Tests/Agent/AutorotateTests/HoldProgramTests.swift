// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationWire
import TestServer
import TestSupport
import Testing
import Varlink

@testable import Autorotate

/// Programs that hold an orientation, with the real agent: `orientationctl hold`, the examples, and the program of docs/apps.md.
@Suite(.timeLimit(.minutes(10))) struct HoldProgramTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Waits until the display has an orientation.
    private nonisolated static func wait(for orientation: String, in session: SessionBench.Session) throws -> Bool {
        try eventually { try session.explain()["orientation"] == .string(orientation) }
    }

    /// Runs `hold`; again without a reply within its 2 s.
    private nonisolated static func hold(
        _ arguments: [String], environment: [String: String]
    ) throws -> RunningProgram.Result {
        var run: RunningProgram.Result = (0, [], "")
        _ = try eventually(despite: 2) {
            run = try RunningProgram.run(Programs.tool, ["hold"] + arguments, environment: environment)
            return !run.errors.contains("; still waiting\n")
        }
        return run
    }

    @Test(arguments: [("exit 3", 3), ("kill -SEGV $$", 139)])
    func `hold turns the display for its app, prints the reason, and a crash of the program ends it`(
        end: String, status: Int32
    ) throws {
        let bench = try SessionBench()
        let environment = ["XDG_RUNTIME_DIR": bench.directory.path, "XDG_DATA_HOME": bench.directory.path("data")]
        let found = try bench.run { session -> (Bool, Bool, Int32, String) in
            try session.show("film")
            _ = try eventually { try session.explain()["app"] != nil }
            let program = try RunningProgram(
                Programs.tool,
                ["hold", "--portrait", "--app-id", "Film", "--", "sh", "-c", "echo started; read line; \(end)"],
                environment: environment, keepsInput: true)
            _ = try program.line()
            let isTurned = try Self.wait(for: "portrait", in: session)
            // If the reply takes 2 s, as on a loaded machine, the program starts before it.
            _ = eventually { program.errorText.contains(" holds portrait") }
            program.write("\n")
            let result = try program.finish()
            return (isTurned, try Self.wait(for: "landscapeRight", in: session), result.status, result.errors)
        }
        #expect(found.0 && found.1)
        #expect(found.2 == status)
        #expect(found.3.contains("app Film (--app-id) holds portrait"))
        #expect(found.3.split(separator: "\n").count { !$0.hasSuffix("; still waiting") } == 2)
    }

    /// A service of holds with one answer.
    private func service(at path: String, answering answer: EncodedMessage) throws -> PollServer {
        try PollServer(at: path, interfaces: [DisplayInterface.description]) { _ in [answer] }
    }

    private nonisolated static let followed = EncodedMessage(
        reply: ["sentence": "The desktop turns.", "applies": true], continues: true)
    private nonisolated static let ignored = EncodedMessage(
        reply: [
            "sentence": "No desktop follows.", "applies": false,
            "obstacle": ["kind": "output", "reason": "no desktop"],
        ], continues: true)

    /// Runs `hold` with a program that ends after a line of input; makes the folder of the agent's socket.
    private func holdUntilInput(
        in directory: TemporaryDirectory, desktop: String = "sway", _ more: [String: String] = [:]
    ) throws -> RunningProgram {
        try FileManager.default.createDirectory(
            atPath: directory.path("orientation-autorotate"), withIntermediateDirectories: true)
        let environment = [
            "XDG_RUNTIME_DIR": directory.path, "ORIENTATIOND_SOCKET": directory.path("daemon"),
            "XDG_CURRENT_DESKTOP": desktop,
        ]
        return try RunningProgram(
            Programs.tool, ["hold", "--portrait", "--app-id", "film", "--", "sh", "-c", "echo started; read line"],
            environment: environment.merging(more) { $1 }, keepsInput: true)
    }

    @Test func `an agent that starts later takes over from a daemon whose hold has no effect`() throws {
        let directory = try TemporaryDirectory()
        let daemon = try service(at: directory.path("daemon"), answering: Self.ignored)
        let program = try holdUntilInput(in: directory)
        #expect(try program.line() == "started")
        #expect(eventually { daemon.peerCount == 1 })
        let agent = try service(at: directory.path("orientation-autorotate/socket"), answering: Self.followed)
        #expect(eventually { agent.peerCount == 1 })
        #expect(eventually { daemon.peerCount == 0 })
        program.write("\n")
        #expect(program.wait() == 0)
        agent.stop()
        daemon.stop()
    }

    @Test func `signals and the end of the program do not wait for the search for what starts the agent`() throws {
        try FileManager.default.createDirectory(
            atPath: directory.path("orientation-autorotate"), withIntermediateDirectories: true)
        try Programs.write("#!/bin/sh\necho $$ >\"$0.pid\"\nexec sleep 60\n", to: directory.path("systemctl"))
        let agent = try service(at: directory.path("orientation-autorotate/socket"), answering: Self.followed)
        let program = try holdUntilInput(in: directory, ["PATH": directory.path + ":/usr/bin:/bin"])
        #expect(try program.line() == "started")
        agent.stop()
        func search() -> Int32? {
            (try? directory.text(of: "systemctl.pid")).flatMap { Int32($0.split(separator: "\n").joined()) }
        }
        #expect(eventually { search() != nil })
        let systemctl = try #require(search())
        program.send(SIGTERM)
        #expect(program.wait() == 128 + SIGTERM)
        #expect(kill(systemctl, SIGKILL) == 0, "the search still runs")
    }

    @Test func `the desktop file and the command of docs/apps.md leave an upright laptop as it is`() throws {
        let page = try String(contentsOfFile: Programs.packageFolder + "/docs/apps.md", encoding: .utf8)
        let key = try #require(page.firstMatch(of: /X-SupportedInterfaceOrientations=[^`\n]+/)).output
        let command = try #require(page.firstMatch(of: /`orientationctl hold ([^`]+)`/)).output.1
        let words = command.split(separator: " ").map(String.init)
        let bench = try SessionBench()
        try bench.install("film", String(key))
        try Programs.write("#!/bin/sh\necho plays $*\n", to: bench.directory.path("mpv"))
        let environment = [
            "XDG_RUNTIME_DIR": bench.directory.path, "PATH": bench.directory.path + ":/usr/bin:/bin",
        ]
        let (shown, run) = try bench.run { session in
            try session.show("film")
            _ = try eventually { "\(try session.explain()["app"] ?? .null)".contains(#""declared""#) }
            let shown = try session.explain()
            return (shown, try Self.hold(words, environment: environment))
        }
        #expect(shown["rotation"] == 0)
        #expect("\(shown["app"] ?? .null)".contains(#""declared":["landscapeRight","landscapeLeft"]"#), "\(shown)")
        #expect(run.output == ["plays film.mkv"] && run.errors.contains(" holds landscape\n"), "\(run.errors)")
        #expect(!run.errors.contains("warning"))
    }

    @Test(arguments: ["hold.py", "hold.sh", "hold.c"])
    func `the examples hold landscape, and print the first reply`(name: String) throws {
        let bench = try SessionBench()
        let binary = bench.directory.path("hold")
        let environment = ["XDG_RUNTIME_DIR": bench.directory.path]
        let source = Programs.packageFolder + "/Examples/clients/" + name
        let line = try bench.run { session -> String? in
            if name.hasSuffix(".c") {
                let library = Programs.packageFolder + "/Sources/Client/CLibrary"
                let sources = ["call", "follow", "handle", "hold", "text", "varlink"].map { "\(library)/\($0).c" }
                // It prints no line until its end.
                let compiler = try RunningProgram.run(
                    "/usr/bin/env", ["cc", "-std=c11", "-I\(library)", "-o", binary, source] + sources + ["-ljansson"],
                    timeout: 180)
                guard compiler.status == 0 else { return compiler.errors }
            }
            // timeout(1) passes the signal on to all processes of the shell script.
            let script = name.hasSuffix(".py") ? ["python3", source] : ["timeout", "60", "/bin/sh", source]
            let command = name.hasSuffix(".c") ? [binary] : script
            let program = try RunningProgram(
                "/usr/bin/env", command + [session.socket], environment: environment)
            defer { program.send(SIGTERM) }
            return try program.line()
        }
        #expect(line?.contains("The ") == true && line?.contains("landscape-primary") == true, "\(line ?? "")")
    }

    @Test(.enabled(if: access(Programs.python, X_OK) == 0, "needs the Python package varlink"))
    func `the Python program of docs/apps.md plays in landscape`() throws {
        let page = try String(contentsOfFile: Programs.packageFolder + "/docs/apps.md", encoding: .utf8)
        let blocks = page.components(separatedBy: "```python\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        let code = try #require(blocks.first { $0.contains("Hold") })
        #expect(code.split(separator: "\n").count <= 10)
        let bench = try SessionBench()
        try Programs.write("#!/bin/sh\necho plays $*\n", to: bench.directory.path("mpv"))
        let environment = [
            "XDG_RUNTIME_DIR": bench.directory.path, "PATH": bench.directory.path + ":/usr/bin:/bin",
            "PYTHONUNBUFFERED": "1",
        ]
        let output = try bench.run { _ in
            try RunningProgram.run(Programs.python, ["-c", code], environment: environment).output
        }
        #expect(output.count == 2 && output.last == "plays --fullscreen film.mkv", "\(output)")
        #expect(output.first?.hasPrefix("The ") == true)
    }
}
