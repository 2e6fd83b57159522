// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestServer
import Testing

/// The apps in Examples/interface, each run with scripted turns; what they print is compared with a transcript.
///
/// A transcript is a file whose first line is the program with its arguments, separated by semicolons, and whose other
/// lines are what it prints. To renew one, run its first line and look at every picture.
@Suite(.timeLimit(.minutes(10))) struct TranscriptTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Transcripts")
    private static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    private func run(_ arguments: [String]) async throws -> (status: Int32, output: [String]) {
        let executable = Self.products.appending(path: arguments[0])
        // The examples end with exit() and leave their objects to the system, which a leak checker would take for leaks.
        let program = try Program(
            executable, Array(arguments.dropFirst()), environment: ["ASAN_OPTIONS": "detect_leaks=0"])
        return await program.finish()
    }

    @Test(arguments: [
        "gallery", "gallery-pages-not-asked", "gallery-narrow", "player", "player-turned-back", "player-autorotating",
        "two-layouts", "two-layouts-contained", "overlay",
    ])
    func `P1 to P11: an example's screens are those of its transcript`(name: String) async throws {
        let file = Self.folder.appending(path: "\(name).txt")
        let text = try String(contentsOf: file, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let command = try #require(lines.first).split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        let (status, output) = try await run(command)
        #expect(status == 0)
        #expect(output == lines.dropFirst().dropLast().map(String.init))
    }

    @Test func `an unknown command lists the valid ones`() async throws {
        let (status, output) = try await run(["Gallery", "turn sideways"])
        #expect(status == 1)
        #expect(output.contains("'turn sideways': invalid argument; valid arguments:"))
        #expect(output.contains("  turn landscapeLeft"))
        let (third, flags) = try await run(["Gallery", "--dead"])
        #expect(third == 1 && flags.contains("  --pages-are-not-asked"))
        let (other, help) = try await run(["Player", "dance"])
        #expect(other == 1 && help.contains("  full go full screen"))
    }
}
