// SPDX-License-Identifier: Apache-2.0

import Logging
import Testing
import Varlink

@testable import OrientationDaemon

@Suite struct OptionsTests {
    private func parse(_ words: String...) -> Options.Request {
        Options.parse(["orientationd"] + words)
    }

    @Test func `without options everything is as usual`() {
        #expect(parse() == .run(Options()))
        #expect(Options().sensor == "auto")
        #expect(Options().limits.connections == 4096)
        #expect(Options().limits.connectionsPerUser == 256)
    }

    @Test func `each option sets what it is for`() {
        var options = Options()
        options.sensor = "fake:"
        options.socket = "/s"
        options.stateDirectory = "/d"
        options.logLevel = .debug
        options.limits.connections = 10
        options.limits.connectionsPerUser = 65_536
        #expect(options.socketPath == "/s")
        #expect(options.stateFolder == "/d")
        let request = parse(
            "--sensor", "fake:", "--socket=/s", "--state-directory", "/d", "--log-level", "debug", "--connections",
            "10", "--connections-per-user=65536")
        #expect(request == .run(options))
    }

    @Test func `of an option that is given twice the last counts`() {
        var options = Options()
        options.sensor = "auto"
        #expect(parse("--sensor", "fake:", "--sensor", "auto") == .run(options))
    }

    @Test(arguments: ["0", "-1", "65537", "many", "1.5", "99999999999999999999"])
    func `a number of connections that is none is refused, with the range`(number: String) {
        for option in ["--connections", "--connections-per-user"] {
            #expect(
                parse("\(option)=\(number)")
                    == .refuse("'\(number)' is no number of connections: it goes from 1 to 65536"))
        }
    }

    @Test func `what is not understood is named`() {
        #expect(parse("--sensor") == .refuse("--sensor needs a value"))
        #expect(parse("--nonsense") == .refuse("there is no option --nonsense"))
        #expect(parse("--socket", "") == .refuse("an option's value is empty"))
        #expect(parse("here") == .refuse("'here' is one argument too many"))
        #expect(parse("--", "here") == .refuse("'here' is one argument too many"))
    }

    @Test func `help names every option`() throws {
        guard case .print(let help) = parse("--help") else {
            Issue.record("no help")
            return
        }
        let names = ["sensor", "socket", "state-directory", "log-level", "connections", "connections-per-user"]
        for name in names + ["version", "help"] { #expect(help.contains("  --\(name) "), "\(name)") }
    }
}
