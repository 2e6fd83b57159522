// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Help, versions, and errors of usage and start.
@Suite struct CommandLineTests {
    @Test(arguments: [
        (["--nonsense"], "unknown option --nonsense"), (["--log-level", "loud"], "--log-level: invalid value 'loud'"),
        (["--sensor", "nothing:"], "unknown sensor source"),
        (["--sensor", "replay:"], "missing file name"),
        (["--sensor", "auto,replay:x?speed=0"], "invalid value '0' for speed"),
        (["--classifier", "calm,edgeMargin=99"], "error: --classifier: invalid value 99.0 for edgeMargin: must be"),
        (["--socket", "/tmp/" + String(repeating: "x", count: 200)], "at most 107"),
    ])
    func `the daemon refuses wrong usage in one line, with status 64`(arguments: [String], message: String) throws {
        let run = try RunningProgram.run(Programs.daemon, arguments)
        #expect(run.status == 64)
        #expect(run.errors.contains(message))
        #expect(run.errors.filter(\.isNewline).count == 1)
    }

    @Test(arguments: [
        (["--socket", "/nowhere/at/all/socket"], 1, "cannot listen: /nowhere/at/all does not exist; run 'mkdir -p"),
        (["--sensor", "replay:/nowhere/at.csv"], 66, "replay:/nowhere/at.csv: cannot open: No such file"),
    ])
    func `the daemon reports in one line why it cannot start, with status 1, or 66 without the recording`(
        arguments: [String], status: Int32, message: String
    ) throws {
        let run = try RunningProgram.run(Programs.daemon, arguments)
        #expect(run.status == status)
        #expect(run.errors.contains(message))
        #expect(run.errors.filter(\.isNewline).count == 1)
    }

    @Test func `the directory of a socket is created below a runtime directory only`() throws {
        let folder = try TemporaryDirectory()
        let refused = try RunningProgram.run(
            Programs.daemon, ["--sensor", "fake:", "--socket", folder.path + "/mistyped/socket"])
        #expect(refused.status == 1)
        #expect(refused.errors.contains("/mistyped does not exist; run "))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/mistyped"))
        let daemon = try RunningProgram(
            Programs.daemon,
            ["--sensor", "fake:", "--socket", folder.path + "/mine/socket", "--state-directory", folder.path],
            environment: ["XDG_RUNTIME_DIR": folder.path])
        #expect(eventually { FileManager.default.fileExists(atPath: folder.path + "/mine/socket") })
        daemon.send(SIGTERM)
    }

    @Test(arguments: [Programs.daemon, Programs.agent, Programs.tool], ["--version", "--help"])
    func `a text that cannot be written to standard output is a failure`(program: String, option: String) throws {
        let run = try RunningProgram.run("/bin/sh", ["-c", "exec \"$0\" \"$1\" >/dev/full", program, option])
        #expect(run.status == 1)
        #expect(run.errors.contains("standard output: cannot write: No space left on device"))
        #expect(run.errors.filter(\.isNewline).count == 1)
    }

    @Test(arguments: [
        (["--socket", "", "status"], 64, "--socket: invalid value '': must not be empty"),
        (["simulate", "hold", "top", "--socket="], 64, "--socket: must not be empty"),
        (["doctor", "--sysroot", "/nowhere"], 64, "--sysroot: invalid value '/nowhere': must be a directory"),
        (
            ["--socket", Programs.daemon, "status"], 1,
            "orientationd: cannot connect: no service is listening; it is not a socket"
        ),
    ])
    func `the tool says which path is wrong`(arguments: [String], status: Int32, message: String) throws {
        let run = try RunningProgram.run(Programs.tool, arguments)
        #expect(run.status == status)
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    private static let programs = [Programs.daemon, Programs.agent, Programs.tool, Programs.tabletSwitch]

    @Test(.enabled(if: canMount, "needs root and mount namespaces"), arguments: programs)
    func `without proc a program does what its command line says`(program: String) throws {
        let script = "mount -t tmpfs none /proc && exec \"$0\" --version"
        let run = try RunningProgram.run(
            "/usr/bin/unshare", ["--mount", "--propagation", "private", "sh", "-c", script, program])
        #expect(run.status == 0)
        #expect(run.output == (try RunningProgram.run(program, ["--version"]).output))
    }

    @Test(.enabled(if: canMount, "needs root and mount namespaces"))
    func `without proc the tool waits for a reply`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        daemon.program.send(SIGSTOP)
        defer { daemon.program.send(SIGCONT) }
        let script = "mount -t tmpfs none /proc && exec \"$0\" --socket \"$1\" --timeout 3 status"
        let run = try RunningProgram.run(
            "/usr/bin/unshare",
            ["--mount", "--propagation", "private", "sh", "-c", script, Programs.tool, daemon.socket])
        #expect(run.status == 1)
        #expect(run.errors.contains("timed out: no reply within 3 s"))
    }

    @Test(arguments: programs)
    func `a program without arguments says so in one line, with status 70`(program: String) throws {
        let preload = ["LD_PRELOAD": try NativeLibrary.noArguments.get()]
        let run = try RunningProgram.run(program, ["--version"], environment: preload)
        #expect(run.status == 70 && run.output.isEmpty)
        #expect(run.errors.contains("command line: cannot read: the C library passed no arguments"))
        #expect(run.errors.filter(\.isNewline).count == 1)
    }

    @Test(arguments: programs)
    func `-V prints the version`(program: String) throws {
        let run = try RunningProgram.run(program, ["-V"])
        #expect(run.status == 0)
        #expect(run.output == (try RunningProgram.run(program, ["--version"]).output))
    }
}
