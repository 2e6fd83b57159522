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

    /// Starts the wizard in a window that is high enough for all of its lines.
    private func wizard(_ daemon: RunningDaemon, _ arguments: [String] = []) throws -> TerminalWindow {
        try TerminalWindow(80, 120, [Programs.tool] + toolOptions(daemon.socket) + ["calibrate"] + arguments)
    }

    /// Follows the wizard's instructions to the end and its success.
    private func calibrate(_ daemon: RunningDaemon) throws -> TerminalWindow {
        try daemon.simulate("portrait")
        let window = try wizard(daemon)
        for (index, pose) in Self.poses.enumerated() {
            let line = "\(index + 1) of 6, \(try #require(Self.titles[pose]))"
            try window.until(line)
            try daemon.simulate(pose)
            try window.until("\n  accepted", after: line)
        }
        try window.until("To check the result")
        try daemon.simulate("landscapeLeft")
        try window.until("\nNow turn it upright again.")
        try daemon.simulate("portrait")
        try window.until("\n  orientation: top edge up, correct")
        #expect(try window.end() == 0)
        return window
    }

    @Test func `a complete calibration shows the screen of its transcript`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:mount=0,1,0;1,0,0;0,0,-1"])
        let screen = try calibrate(daemon).text
        let file = Programs.packageFolder + "/Tests/Programs/EndToEndTests/Transcripts/calibrate.txt"
        #expect(try screen + "\n" == String(contentsOfFile: file, encoding: .utf8))
    }

    @Test func `Ctrl-C changes nothing and ends with a complete line`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:mount=0,1,0;1,0,0;0,0,-1"])
        try daemon.simulate("portrait")
        let window = try wizard(daemon)
        try window.until("2 of 6", "still in top edge up")
        window.interrupt()
        #expect(try window.end() == 1)
        #expect(try window.text.hasSuffix("\norientationctl: calibration: interrupted; nothing was changed"))
    }

    @Test func `a sensor that fails between two poses is reported, and the calibration continues at the same pose`()
        throws
    {
        let daemon = try RunningDaemon(["--sensor", "fake:mount=0,1,0;1,0,0;0,0,-1"])
        try daemon.simulate("portrait")
        let window = try wizard(daemon)
        try window.until("2 of 6")
        try daemon.simulate("fail", "failed", "--duration", "3600")
        try window.until("\n  waiting for samples: ", after: "2 of 6")
        try daemon.simulate("fail", "failed", "--duration", "0")
        try daemon.simulate("landscapeLeft")
        try window.until("\n  accepted", after: "waiting for samples: ")
        window.interrupt()
        #expect(try window.end() == 1)
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
            let window = try wizard(daemon, arguments)
            #expect(try window.end() == 1)
            // A complaint may be broken between words.
            let text = try window.text.replacing("\n", with: "")
            #expect(text.contains(complaint) && !text.contains("1 of 6"), "\(text)")
        }
    }
}
