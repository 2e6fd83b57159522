// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The apps in Examples/interface, each run with scripted turns; what they print is compared with a transcript.
///
/// A transcript has the runs of one app. The line `$ Player; full; turn portrait` is a run with its arguments, and the
/// lines after it are what it prints. A picture that was printed before stands as a reference to that step.
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

    /// Set ORIENTATIOND_WRITE_SCREENS to rewrite the files, and look at every picture that has changed.
    @Test(arguments: ["gallery", "overlay", "player", "two-layouts"])
    func `P1 to P11: an example's screens are those of its transcript`(name: String) throws {
        let file = Self.folder.appending(path: "\(name).txt")
        let text = try String(contentsOf: file, encoding: .utf8)
        var transcript = Transcript()
        for line in text.split(separator: "\n") where line.hasPrefix("$ ") {
            let (status, output) = try run(line.dropFirst(2).components(separatedBy: "; "))
            #expect(status == 0, "\(line)")
            transcript.add(String(line), output)
        }
        if ProcessInfo.processInfo.environment["ORIENTATIOND_WRITE_SCREENS"] != nil {
            try Data(transcript.text.utf8).write(to: file)
        }
        #expect(transcript.text.split(separator: "\n") == text.split(separator: "\n"))
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

/// The output of runs, each picture once.
private struct Transcript {
    private(set) var text = ""
    private var step = 0
    private var command = ""
    /// The references to the pictures.
    private var pictures: [[String]: String] = [:]

    mutating func add(_ run: String, _ output: [String]) {
        text += run + "\n"
        var rest = output[...]
        while let line = rest.first {
            let picture = Array(rest.prefix { "+|#".contains($0.prefix(1)) && !$0.isEmpty })
            rest = rest.dropFirst(max(picture.count, 1))
            if picture.isEmpty {
                text += line + "\n"
                guard line.hasPrefix("> ") else { continue }
                step += 1
                command = String(line.dropFirst(2))
            } else if let reference = pictures[picture] {
                text += reference + "\n"
            } else {
                pictures[picture] = "(the picture of step \(step): \(command))"
                text += picture.map { $0 + "\n" }.joined()
            }
        }
    }
}
