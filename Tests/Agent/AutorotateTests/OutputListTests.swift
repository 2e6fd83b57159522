// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationWire
import Testing
import Varlink

@testable import Autorotate
@testable import Displays

@Suite struct OutputListTests {
    private func report(
        rotatedBy: String? = nil, agent arguments: [String]?, option: String? = nil
    ) -> SessionOutputs {
        SessionOutputs(
            server: "sway", rotatedBy: rotatedBy, agent: arguments.map { RunningAgent(process: 42, arguments: $0) },
            option: option, outputs: [PolicyBench.panel, PolicyBench.monitor])
    }

    /// The line of a report that says what rotates the display.
    private func rotator(_ report: SessionOutputs) -> String? {
        report.text.split(separator: "\n").first { $0.hasPrefix("turned by") }.map { String($0.dropFirst(16)) }
    }

    @Test func `the output is that of the running agent, unless --output names another one`() {
        #expect(report(agent: nil).chosen?.name == "eDP-1")
        #expect(report(agent: ["--when", "always"]).chosen?.name == "eDP-1")
        #expect(report(agent: ["--output=HDMI-A-1"]).chosen?.name == "HDMI-A-1")
        #expect(report(agent: ["--output", "HDMI-A-1"], option: "eDP-1").chosen?.name == "eDP-1")
        #expect(report(agent: ["--output", "DP-9"]).chosen == nil)
    }

    @Test func `what rotates the display is the agent with its options, the desktop, or no program`() {
        #expect(rotator(report(agent: nil)) == "no program")
        #expect(rotator(report(agent: [])) == "orientation-autorotate (process 42)")
        #expect(
            rotator(report(agent: ["--when", "always"])) == "orientation-autorotate --when always (process 42)")
        for options in [["--when", "never"], ["--dry-run"]] {
            let line = rotator(report(agent: options))
            #expect(line?.hasPrefix("no program: orientation-autorotate \(options[0])") == true)
        }
        #expect(rotator(report(rotatedBy: "GNOME (mutter)", agent: [])) == "GNOME (mutter) itself")
    }

    /// Whether the lines of a report say that an output rotates.
    private func lines(_ report: SessionOutputs) -> [String] {
        report.text.split(separator: "\n").filter { $0.contains("follow") }
            .map(String.init)
    }

    @Test func `an output that does not rotate has the reason: no agent, mirrored, an option, or laptop mode`() {
        #expect(lines(report(agent: [])) == ["  follows the device: internal connector"])
        #expect(
            lines(report(agent: ["--when", "never"])) == ["  does not follow the device: --when never"])
        #expect(
            lines(report(agent: nil)) == ["  does not follow the device: orientation-autorotate is not running"])
        let agent = RunningAgent(process: 42, arguments: [])
        var mirrored = PolicyBench.panel
        mirrored.transform = .flipped
        #expect(
            lines(SessionOutputs(server: "sway", rotatedBy: nil, agent: agent, option: nil, outputs: [mirrored]))
                == ["  does not follow the device: mirrored (transform flipped)"])
        let laptop = SessionOutputs(
            server: "sway", rotatedBy: nil, agent: agent, option: nil, outputs: [PolicyBench.panel],
            explain: .reply(Explanation(sentence: "S.", obstacle: Obstacle(.laptop, cause: "C")).reply))
        #expect(lines(laptop) == ["  does not follow the device: C"])
        #expect("\(laptop.json)".contains("\"obstacle\":\"C\""))
        #expect("\(report(agent: []).json)".contains("\"obstacle\":null"))
        let waiting = SessionOutputs(
            server: "sway", rotatedBy: nil, agent: agent, option: nil, outputs: [PolicyBench.panel],
            explain: .reply(Explanation(sentence: "S.", obstacle: Obstacle(.lock, waitsFor: "its end")).reply))
        #expect(lines(waiting) == ["  does not follow the device: waits for its end"])
        #expect("\(waiting.json)".contains("\"obstacle\":\"waits for its end\""))
    }

    @Test func `the members of JSON stay`() throws {
        let object = try JSONObject(json: report(agent: []).json)
        for name in [
            "server", "rotatedBy", "agent", "agentOptions", "agentRotates", "output", "reason", "obstacle", "outputs",
            "explanation", "explanationError",
        ] { #expect(object[name] != nil, "\(name)") }
        let output = try #require(try object.value("outputs", as: [JSONObject].self).first)
        for name in ["name", "label", "enabled", "width", "height", "transform", "rotation"] {
            #expect(output[name] != nil, "\(name)")
        }
    }

    @Test func `of two internal panels the one that does not rotate is named, with the option that chooses it`() {
        var second = PolicyBench.panel
        second.name = "eDP-2"
        let both = [PolicyBench.panel, second, PolicyBench.monitor]
        let text =
            "internal connector; eDP-2, internal too, does not rotate: to rotate both as one body, pass --output eDP-1,eDP-2"
        let agent = RunningAgent(process: 42, arguments: [])
        #expect(
            lines(SessionOutputs(server: "sway", rotatedBy: nil, agent: agent, option: nil, outputs: both))
                .contains("  follows the device: \(text)"))
        #expect(
            PolicyBench.started(outputs: both).reports.map(\.text)
                == ["eDP-1: waits for the orientation of the device (\(text))"])
        #expect(
            PolicyBench.started(Settings(output: "eDP-2"), outputs: both).reports.first?.text.contains("eDP-1") == false
        )
    }

    @Test func `a desktop that rotates the display itself is named, without its outputs`() {
        let report = SessionOutputs(
            server: "KDE Plasma (KWin)", rotatedBy: "KDE Plasma (KWin)", agent: nil, option: nil, outputs: [])
        #expect(
            report.text == "display server  KDE Plasma (KWin)\nturned by       KDE Plasma (KWin) itself\n")
    }

    @Test func `without an output that rotates the report has the reason, in the text and in JSON`() {
        let missing = report(agent: nil, option: "NOPE")
        let reason = "--output NOPE: not found; connected outputs: eDP-1, HDMI-A-1"
        #expect(missing.text.contains("output          \(reason)\n"))
        #expect("\(missing.json)".contains("\"reason\":\"\(reason)\""))
    }

    /// The lines about apps in the report of an agent.
    private func apps(_ outcome: ExplainOutcome, agent arguments: [String] = []) -> [String] {
        let report = SessionOutputs(
            server: "sway", rotatedBy: nil, agent: RunningAgent(process: 42, arguments: arguments), option: nil,
            outputs: [PolicyBench.panel], explain: outcome)
        let lines = report.text.split(separator: "\n").map(String.init)
        return Array(lines.drop { !$0.hasPrefix("app in front") })
    }

    @Test func `without a reply of the agent the app in front is unknown, with the reason, in the text and in JSON`() {
        let reason = "limit reached: at most 128 connections"
        #expect(apps(.failed(reason)) == ["app in front    unknown: orientation-autorotate: \(reason)"])
        let report = SessionOutputs(
            server: "sway", rotatedBy: nil, agent: RunningAgent(process: 42, arguments: []), option: nil, outputs: [],
            explain: .failed(reason))
        #expect("\(report.json)".contains("\"explanationError\":\"\(reason)\""))
        #expect("\(self.report(agent: nil).json)".contains("\"explanationError\":null"))
    }

    @Test func `a decision that allows nothing is printed; without a decision there is no line`() {
        let answer: JSONValue = ["source": "hold 1", "answer": "portrait"]
        #expect(
            apps(.reply(["sentence": "S.", "allowed": [], "answers": [answer]]))
                == ["app in front    none", "  allowed       none", "S."])
        #expect(apps(.reply(["sentence": "S.", "allowed": [], "answers": []])) == ["app in front    none", "S."])
    }

    @Test func `UIKit's names of orientations in a reply are printed as the words of options and desktop files`() {
        #expect(
            apps(
                .reply([
                    "sentence": "S.", "orientation": "landscapeRight", "allowed": ["landscapeRight", "landscapeLeft"],
                    "app": ["appId": "film", "declared": ["landscapeLeft", "portrait"]],
                ])) == [
                    "app in front    film", "  declares      landscape-secondary, portrait-primary",
                    "orientation     landscape-primary", "  allowed       landscape", "S.",
                ])
    }

    @Test func `declared orientations that do not apply have the reason of the agent`() {
        func declares(_ app: JSONObject) -> String? {
            apps(.reply(["sentence": "S.", "app": .object(app)])).first { $0.contains("declares") }
                .map { String($0.dropFirst(16)) }
        }
        #expect(
            declares(["appId": "film", "undeclared": "no desktop file found"])
                == "nothing that applies: no desktop file found")
        #expect(declares(["appId": "film"]) == "nothing that applies")
        #expect(declares(["appId": "film", "declared": ["portrait"]]) == "portrait-primary")
    }

    @Test func `a control character of an option is not printed`() {
        #expect(rotator(report(agent: ["--exec", "a\u{1B}b"])) == "orientation-autorotate --exec a·b (process 42)")
    }

    @Test func `a control character or a line of an output's name or label is not printed`() {
        let output = Output(name: "eDP\u{9B}1", label: "Make\u{1B}]0;title\u{7}\nModel\u{202E}")
        let report = SessionOutputs(server: "sway", rotatedBy: nil, agent: nil, option: nil, outputs: [output])
        #expect(report.text.contains("\neDP·1  Make·]0;title··Model·\n  "))
        #expect(report.text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.properties.isDefaultIgnorableCodePoint })
        #expect(!"\(report.json)".unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x9B || $0.value == 0x202E })
    }

    @Test func `the options are read from the command line of the process`() {
        #expect(RunningAgent(process: getpid()).arguments == Array(CommandLine.arguments.dropFirst()))
        let missing = RunningAgent(process: Int32.max)
        #expect(missing.arguments == nil)
        #expect(missing.settings == Settings())
    }
}
