// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The apps in Examples/interface, each run with scripted turns; what they print is compared with a transcript.
///
/// A transcript is a file whose first line is the program with its arguments, separated by semicolons, and whose other
/// lines are what it prints. To renew one, run its first line and look at every picture.
@Suite(.timeLimit(.minutes(10))) struct TranscriptTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Transcripts")

    /// Runs an example. The examples end with exit(), which a leak checker would report.
    private func run(_ arguments: [String]) throws -> (status: Int32, output: [String]) {
        let run = try RunningProgram.run(
            Programs.example(arguments[0]), Array(arguments.dropFirst()),
            environment: ["ASAN_OPTIONS": "detect_leaks=0"],
            mergesErrors: true)
        return (run.status, run.output)
    }

    @Test(arguments: [
        "gallery", "gallery-pages-not-queried", "gallery-narrow", "player", "player-turned-back", "player-autorotating",
        "player-in-landscape", "two-layouts", "two-layouts-contained", "overlay", "gallery-wide", "player-wide",
        "player-autorotating-wide", "two-layouts-wide", "two-layouts-contained-wide", "overlay-wide",
    ])
    func `P1 to P11: an example's screens are those of its transcript`(name: String) throws {
        let file = Self.folder.appending(path: "\(name).txt")
        let text = try String(contentsOf: file, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let command = try #require(lines.first).split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        let (status, output) = try run(command)
        #expect(status == 0)
        #expect(output == lines.dropFirst().dropLast().map(String.init))
    }

    @Test func `an unknown command lists the valid ones`() throws {
        let (status, output) = try run(["Gallery", "turn sideways"])
        #expect(status == 1)
        #expect(output.contains("'turn sideways': invalid argument; valid arguments:"))
        #expect(output.contains("  turn landscapeLeft"))
        let (third, flags) = try run(["Gallery", "--dead"])
        #expect(third == 1 && flags.contains("  --pages-are-not-queried"))
        #expect(flags.contains("  --wide"))
        let (other, help) = try run(["Player", "dance"])
        #expect(other == 1 && help.contains("  full go full screen"))
    }
}
