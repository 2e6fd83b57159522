// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `orientationctl replay`.
@Suite(.serialized) struct ReplayTests {
    /// Portrait, then with the right edge up.
    private static let turn = (0..<100).map { "\(Double($0) / 25),\($0 < 50 ? "0,9.8" : "9.8,0"),0\n" }.joined()

    private static let lines = [
        "portrait (top edge up): display needs no rotation",
        "landscapeLeft (right edge up): display needs 270° counter-clockwise",
    ]

    @Test func `its lines are the orientations of the classifier`() throws {
        let run = try RunningProgram.run(Programs.tool, ["replay", "--speed", "max", "-"], input: Self.turn)
        #expect(run.status == 0)
        #expect(run.output == Self.lines)
        let json = try RunningProgram.run(Programs.tool, ["replay", "--json", "--speed", "max", "-"], input: Self.turn)
        #expect(try json.output.map { try WireState($0) }.map(\.sequence) == [1, 2])
    }

    @Test func `a damaged recording is played up to the damage, which is reported`() throws {
        let run = try RunningProgram.run(
            Programs.tool, ["replay", "--speed", "max", "-"], input: Self.turn + "oops\n")
        #expect(run.output == Self.lines)
        #expect(run.status == 1)
        #expect(run.errors.contains("line 101"))
        let empty = try RunningProgram.run(Programs.tool, ["replay", "-"], input: "")
        #expect(empty.status == 1)
        #expect(empty.errors == "orientationctl: standard input: no samples\n")
    }

    @Test func `the space bar pauses and resumes`() throws {
        let folder = try TemporaryDirectory()
        let window = try TerminalWindow(
            80, 24, [Programs.tool, "replay", "--speed", "0.5", try folder.write(Self.turn, to: "turn.csv")])
        try window.until("portrait", "space pauses; q or Ctrl-C quits")
        try window.type(" ")
        try window.until("portrait", "○ turn.csv, paused", "space resumes")
        try window.type(" ")
        try window.until("landscapeLeft", "the end, 4 s")
        try window.type(" q")
        #expect(try window.end() == 0)
    }
}
