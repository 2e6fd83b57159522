// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Systemd
import Testing
import Varlink

@testable import OrientationDaemon

@Suite struct OptionsTests {
    private func parse(_ words: String...) -> ProgramRequest<Options> {
        Options.parse(["orientationd"] + words)
    }

    @Test func `each option sets its value`() {
        var options = Options()
        options.sensor = "fake:"
        options.socket = "/s"
        options.stateDirectory = "/d"
        options.logLevel = .debug
        options.natural = .landscapeLeft
        options.limits.connections = 10
        options.limits.connectionsPerUser = 65_536
        #expect(options.socketPath == "/s")
        #expect(options.stateFolder == "/d")
        let request = parse(
            "--sensor", "fake:", "--socket=/s", "--state-directory", "/d", "--log-level", "debug",
            "--natural-orientation", "landscapeLeft", "--connections", "10", "--connections-per-user=65536")
        #expect(request == .run(options))
    }

    @Test(arguments: ["0", "-1", "65537", "many", "1.5", "99999999999999999999"])
    func `an invalid number of connections is refused with the valid range`(number: String) {
        for option in ["--connections", "--connections-per-user"] {
            #expect(
                parse("\(option)=\(number)")
                    == .refuse("\(option): invalid value '\(number)': must be 1 to 65536"))
        }
    }

    @Test func `a natural orientation of no panel is refused with the valid ones`() {
        #expect(
            parse("--natural-orientation", "landscapeRight")
                == .refuse("--natural-orientation: invalid value 'landscapeRight': must be portrait or landscapeLeft"))
    }

    @Test func `an invalid argument is named in the message`() {
        #expect(parse("--sensor") == .refuse("--sensor: value missing"))
        #expect(parse("--nonsense") == .refuse("unknown option --nonsense"))
        #expect(parse("-xh") == .refuse("unknown option -x"))
        #expect(parse("--dbus", "-x") == .refuse("unknown option -x"))
        #expect(parse("--dbus=1") == .refuse("--dbus: invalid value '1': takes no value"))
        #expect(parse("--socket", "") == .refuse("--socket: invalid value '': must not be empty"))
        #expect(parse("here") == .refuse("unexpected argument 'here'"))
        #expect(parse("--", "here") == .refuse("unexpected argument 'here'"))
    }

    @Test func `the help lists every option`() throws {
        guard case .print(let help) = parse("--help") else {
            Issue.record("no help")
            return
        }
        let names = [
            "sensor", "socket", "state-directory", "log-level", "connections", "connections-per-user",
            "natural-orientation",
        ]
        for name in names { #expect(help.contains("  --\(name) "), "\(name)") }
        for name in ["--version, -V", "--help, -h"] { #expect(help.contains("  \(name) "), "\(name)") }
    }
}
