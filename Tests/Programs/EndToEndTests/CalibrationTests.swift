// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `orientationctl calibrate` on a terminal, with a simulated device that the test turns.
@Suite(.serialized) struct CalibrationTests {
    private static let poses = [
        "portrait", "landscapeLeft", "portraitUpsideDown", "landscapeRight", "faceUp", "faceDown",
    ]
    private static let titles = [
        "portrait": "top edge up", "landscapeLeft": "right edge up", "portraitUpsideDown": "bottom edge up",
        "landscapeRight": "left edge up", "faceUp": "screen up", "faceDown": "screen down",
    ]

    /// Follows the wizard's instructions to the end and returns the screen.
    private func calibrate(_ daemon: RunningDaemon, _ arguments: String...) throws -> (status: Int32, screen: String) {
        let terminal = try measurePoses(daemon, arguments)
        let left = try terminal.line { $0.hasPrefix("To check the result") }
        try daemon.simulate("landscapeLeft")
        let upright = try terminal.line(from: left) { $0 == "Now turn it upright again." }
        try daemon.simulate("portrait")
        try terminal.line(from: upright) { $0 == "  orientation: top edge up, correct" }
        return (terminal.wait(), terminal.text)
    }

    /// Takes the six poses; `swapping` maps a pose to the one that is held instead, every time.
    private func measurePoses(
        _ daemon: RunningDaemon, _ arguments: [String] = [], swapping: [String: String] = [:]
    ) throws -> Terminal {
        try daemon.simulate("portrait")
        let terminal = try Terminal(Programs.tool, toolOptions(daemon.socket) + ["calibrate"] + arguments)
        for (index, pose) in Self.poses.enumerated() {
            let title = try #require(Self.titles[pose])
            let line = try terminal.line { $0.hasPrefix("\(index + 1) of 6, \(title)") }
            try daemon.simulate(swapping[pose] ?? pose)
            try terminal.line(from: line) { $0 == "  accepted" }
        }
        return terminal
    }

    @Test(arguments: [true, false])
    func `a mirrored frame is a sign error of the driver if repeated poses agree, else swapped poses`(
        isDriver: Bool
    ) throws {
        let daemon = try RunningDaemon(["--sensor", "fake:mount=0,1,0;1,0,0;0,0,-1"])
        let swapping = ["landscapeLeft": "landscapeRight", "landscapeRight": "landscapeLeft"]
        let terminal = try measurePoses(daemon, swapping: swapping)
        var line = try terminal.line { $0.hasPrefix("The poses form a mirrored frame") }
        var previous = "screen down"
        for pose in ["landscapeLeft", "faceUp", "portrait"] {
            let title = try #require(Self.titles[pose])
            line = try terminal.line(from: line) { $0.hasPrefix("Again, \(title)") }
            try terminal.cursor { $0.contains("still in \(previous); turn the device") }
            previous = title
            if pose == "landscapeLeft" {
                try daemon.simulate("portrait")
                try terminal.cursor { $0.contains("neither this pose nor its opposite; turn the device as shown") }
            }
            try daemon.simulate(isDriver ? swapping[pose] ?? pose : pose)
            if pose == "landscapeLeft", !isDriver {
                #expect(terminal.wait() == 1)
                #expect(terminal.text.contains("right edge up: swapped with its opposite earlier; start again"))
                return
            }
            line = try terminal.line(from: line) { $0 == "  same as before" }
        }
        try terminal.line(from: line) { $0.hasSuffix("ORIENTATIOND_FACE_SIGN=-1.") }
        terminal.send(SIGINT)
        #expect(terminal.wait() == 1)
    }

    @Test func `a complete calibration shows the screen of its transcript`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:mount=0,1,0;1,0,0;0,0,-1"])
        let (status, screen) = try calibrate(daemon)
        #expect(status == 0)
        let file = Programs.packageFolder + "/Tests/Programs/EndToEndTests/Transcripts/calibrate.txt"
        #expect(try screen == String(contentsOfFile: file, encoding: .utf8))
    }

    @Test(arguments: [
        ("0.6,0.8,0;0,0,1;0.8,-0.6,0", "chip", [0.6, 0.8, 0, 0, 0, 1, 0.8, -0.6, 0]),
        ("0,0,1;0,1,0;1,0,0", "hid", [0, 0, 1, 0, 1, 0, 1, 0, 0]),
    ])
    func `a tilted sensor and a sensor hub are calibrated, and --json prints one object`(
        mount: String, sense: String, rows: [Double]
    ) throws {
        struct Found: Decodable {
            let matrix: String
            let axisAligned: Bool
            let inUse: Bool
        }
        let daemon = try RunningDaemon(["--sensor", "fake:mount=\(mount)&sense=\(sense)"])
        let (status, screen) = try calibrate(daemon, "--json")
        #expect(status == 0)
        let line = try #require(screen.split(separator: "\n").last)
        let found = try JSONDecoder().decode(Found.self, from: Data(line.utf8))
        #expect(found.axisAligned == (sense == "hid") && !found.inUse)
        let elements = found.matrix.split { ",; ".contains($0) }.compactMap { Double($0) }
        for (element, row) in zip(elements, rows) { #expect((element - row).magnitude < 0.02, "\(found.matrix)") }
    }

    @Test func `a laptop is drawn wide, and lines are broken between words`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:natural=landscapeLeft&mount=1,0,0;0,1,0;0,0,1"])
        let window = try TerminalWindow(60, 40, [Programs.tool] + toolOptions(daemon.socket) + ["calibrate"])
        try window.until("          ^\n     +---------+\n     |         |\n     +---------+\n")
        try window.until("top edge of the\nunrotated picture to the left\n     +-----+\n   < |     |\n")
    }

    @Test func `Ctrl-C changes nothing and ends with a complete line`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:mount=0,1,0;1,0,0;0,0,-1"])
        try daemon.simulate("portrait")
        let terminal = try Terminal(Programs.tool, toolOptions(daemon.socket) + ["calibrate"])
        try terminal.line { $0.hasPrefix("2 of 6") }
        try terminal.cursor { $0.contains("still in top edge up") }
        terminal.send(SIGINT)
        #expect(terminal.wait() == 1)
        #expect(terminal.lines.last == "orientationctl: calibration: interrupted; nothing was changed")
    }

    @Test func `a sensor that fails between two poses is reported, and the calibration continues at the same pose`()
        throws
    {
        let daemon = try RunningDaemon(["--sensor", "fake:mount=0,1,0;1,0,0;0,0,-1"])
        try daemon.simulate("portrait")
        let terminal = try Terminal(Programs.tool, toolOptions(daemon.socket) + ["calibrate"])
        var line = try terminal.line { $0.hasPrefix("2 of 6") }
        try daemon.simulate("fail", "failed", "--duration", "3600")
        line = try terminal.line(from: line) { $0.hasPrefix("  waiting for samples: ") }
        try daemon.simulate("fail", "failed", "--duration", "0")
        try daemon.simulate("landscapeLeft")
        try terminal.line(from: line) { $0 == "  accepted" }
        terminal.send(SIGINT)
        #expect(terminal.wait() == 1)
    }

    @Test func `a missing terminal, chip or permission is reported before the first pose`()
        throws
    {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        let piped = try daemon.runTool("calibrate")
        #expect(piped.status == 1)
        #expect(piped.errors.contains("not a terminal"))
        for (arguments, complaint) in [
            ([], "no mounting is simulated; start orientationd with --sensor 'fake:mount=1,0,0;0,1,0;0,0,1'"),
            (["--write"], geteuid() == 0 ? "cannot install" : "permission denied"),
        ] {
            let terminal = try Terminal(Programs.tool, toolOptions(daemon.socket) + ["calibrate"] + arguments)
            #expect(terminal.wait() == 1)
            #expect(terminal.text.contains(complaint), "\(terminal.text)")
            #expect(!terminal.text.contains("1 of 6"))
        }
    }

    @Test func `a simulated device with an identity mount matrix can be calibrated`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:mount=1,0,0;0,1,0;0,0,1"])
        let terminal = try Terminal(Programs.tool, toolOptions(daemon.socket) + ["calibrate"])
        try terminal.line { $0.hasPrefix("1 of 6") }
        terminal.send(SIGINT)
        #expect(terminal.wait() == 1)
    }

    @Test(arguments: ["0,1,0", "1,0,0;1,0,0;0,0,1", "0,1,0;x,0,0;0,0,1"])
    func `an invalid simulated mount matrix is refused`(mount: String) throws {
        let run = try RunningProgram.run(Programs.daemon, ["--sensor", "fake:mount=\(mount)"])
        #expect(run.status == 64)
        #expect(run.errors.contains("option mount: invalid mount matrix"))
    }
}
