// SPDX-License-Identifier: Apache-2.0

import Testing

/// What the programs answer to people: to right and to wrong use.
@Suite struct CommandLines {
    @Test(arguments: [
        (["--sensor"], "--sensor needs a value"), (["--nonsense"], "there is no option --nonsense"),
        (["extra"], "'extra' is one argument too many"), (["--log-level", "loud"], "'loud' is no log level"),
        (["--socket", ""], "an option's value is empty"), (["--classifier", "wild"], "wild"),
        (["--sensor", "nothing:"], "names no source of samples"), (["--sensor", "fake:wild"], "no scenario 'wild'"),
        (["--sensor", "replay:"], "needs a file"), (["--sensor", "auto,replay:x?speed=0"], "speed=0 means nothing"),
        (["--classifier", "calm,edgeMargin=99"], "edgeMargin"),
    ])
    func `the daemon refuses wrong use in one line, with status 64`(arguments: [String], complaint: String) throws {
        let run = try RunningProgram.run(Programs.daemon, arguments)
        #expect(run.status == 64)
        #expect(run.errors.contains(complaint))
        #expect(run.errors.filter(\.isNewline).count == 1)
    }

    @Test(arguments: [
        (["--socket", "/nowhere/at/all/socket"], "/nowhere/at/all/socket"),
        (["--socket", "/tmp/" + String(repeating: "x", count: 200)], "at most 107"),
    ])
    func `the daemon says in one line why it cannot start, with status 1`(
        arguments: [String], complaint: String
    ) throws {
        let run = try RunningProgram.run(Programs.daemon, arguments)
        #expect(run.status == 1)
        #expect(run.errors.contains(complaint))
        #expect(run.errors.filter(\.isNewline).count == 1)
    }

    @Test func `version and help go to standard output`() throws {
        let version = try RunningProgram.run(Programs.daemon, ["--version"])
        #expect(version.status == 0)
        #expect(version.output.first?.hasPrefix("orientationd ") == true)
        let help = try RunningProgram.run(Programs.daemon, ["--help"])
        #expect(help.status == 0)
        #expect(help.output.contains { $0.contains("--sensor URI") })
    }

    @Test(arguments: [["nonsense"], ["watch", "--count", "0"], ["watch", "--duration", "-1"], ["classify"]])
    func `the tool refuses wrong use in one line, with status 64`(arguments: [String]) throws {
        let run = try RunningProgram.run(Programs.tool, arguments)
        #expect(run.status == 64)
        #expect(run.errors.filter(\.isNewline).count == 1)
    }

    @Test(arguments: [["status"], ["sensors"], ["classify", "/nowhere/at/all.csv"]])
    func `the tool says in one line what failed, with status 1`(arguments: [String]) throws {
        let run = try RunningProgram.run(
            Programs.tool, arguments, environment: ["ORIENTATIOND_SOCKET": "/nowhere/at/all"])
        #expect(run.status == 1)
        #expect(run.errors.contains("/nowhere/at/all"))
        #expect(run.errors.filter(\.isNewline).count == 1)
    }

    @Test func `classify prints each change, the first included, and what came before a damaged line`() throws {
        let samples = (0..<50).map { "\(Double($0) / 25),\($0 < 25 ? "0,9.8" : "9.8,0"),0\n" }.joined()
        let run = try RunningProgram.run(Programs.tool, ["classify", "-"], input: samples + "oops\n")
        #expect(run.output.first == "0.0,portrait")
        #expect(run.output.last?.hasSuffix(",landscapeLeft") == true)
        #expect(run.output.count == 2)
        #expect(run.status == 1)
        #expect(run.errors.contains("line 51"))
    }
}
