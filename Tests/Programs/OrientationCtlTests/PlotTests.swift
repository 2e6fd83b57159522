// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct PlotTests {
    /// A device that lies flat, is lifted and turned, with 20 samples per second.
    private static let recording = (0..<200).map { index in
        let reading = index < 60 ? "0.1,0.2,9.79" : index < 130 ? "0.2,9.75,1" : "-9.7,0.3,1"
        return "\(Double(index) / 20),\(reading)\n"
    }.joined()

    @Test func `the walk in the documentation is up to date`() throws {
        let folder = try TemporaryDirectory()
        let script = Programs.packageFolder + "/Scripts/simulate-motion.py"
        let walk = try folder.file("walking.rec", Run(["walking"], program: script).output)
        let run = try Run(["plot", walk, "-o", folder.file("walk.svg")])
        #expect(run.status == 0 && run.error.isEmpty)
        let kept = try String(contentsOfFile: Programs.packageFolder + "/docs/walk.svg", encoding: .utf8)
        #expect(try folder.text("walk.svg") == kept, "outdated: docs/classifier.md has the command")
    }

    @Test func `the picture of a recording names orientations, quantities and bands`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.file("a & b.csv", Self.recording)
        let run = try Run(["plot", file, "-o", folder.file("out.svg")])
        #expect(run.status == 0 && run.error.isEmpty)
        let svg = try folder.text("out.svg")
        for text in [
            ">face up<", ">top edge<", ">left edge<", "|a| in m/s²", "acceleration in m/s²", "tilt in degrees",
            "turn in degrees", "disturbance in m/s²", "orientations: 3", "a &amp; b.csv",
        ] {
            #expect(svg.contains(text), "\(text)")
        }
        let document = try XMLCheck.elements(Data(svg.utf8))
        #expect(document.contains("path") && document.contains("rect"))
    }

    @Test func `a recording is drawn with two classifiers in one picture`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.file("one.csv", Self.recording)
        let run = try Run([
            "plot", file, "--classifier", "standard", "--classifier", "calm", "-o", folder.file("out.svg"),
        ])
        #expect(run.status == 0)
        let svg = try folder.text("out.svg")
        #expect(svg.contains(">one.csv<"))
        #expect(svg.ranges(of: "classifier: calm").count == 1)
        #expect(svg.ranges(of: "tilt, turn, disturbance and bands of standard").count == 1)
    }

    @Test(arguments: [
        ("1e18,0,9.8,0\n1000000000000000128,0,9.8,0\n", "time in s, from 1e+18 s", ">100<"),
        ("-8e307,0,9.8,0\n8e307,0,9.8,0\n", "time in d, from -8e+307 s", "e+303<"),
        ("7,0,9.8,0\n7.003,0,9.8,0\n", "time in ms, from 7 s", ">3<"),
        ("0,0,9.8,0\n0.9,0,9.8,0\n", "time in s<", ">0.6<"),
        ("0,0,9.8,0\n2700,0,9.8,0\n", "time in min<", ">40<"),
        ("0,0,9.8,0\n40000,0,9.8,0\n", "time in h<", ">10<"),
        ("3,0,9.8,0\n", "from 3 s", ">0<"),
    ])
    func `every time range has a scale`(recording: String, origin: String, tick: String) throws {
        let folder = try TemporaryDirectory()
        let run = try Run(["plot", "-", "-o", folder.file("out.svg")], input: recording)
        #expect(run.status == 0 && run.error.isEmpty)
        let svg = try folder.text("out.svg")
        #expect(svg.contains(origin) && svg.contains(tick), "\(svg.matches(of: />[^<]+</).map { $0.output })")
        #expect(!svg.contains("nan") && !svg.contains("inf"))
    }

    @Test func `acceleration ticks are round`() throws {
        let folder = try TemporaryDirectory()
        let still = (0..<500).map { "\(Double($0) / 50),0,9.81,0\n" }.joined()
        #expect(try Run(["plot", "-", "-o", folder.file("out.svg")], input: still).status == 0)
        let svg = try folder.text("out.svg")
        for tick in ["-10", "-5", "0", "5", "10"] { #expect(svg.contains(">\(tick)</text>")) }
        #expect(!svg.contains("9.8<"))
    }

    @Test func `a single sample is a dot in every panel, with a segment`() throws {
        let folder = try TemporaryDirectory()
        let run = try Run(["plot", "-", "-o", folder.file("out.svg")], input: "3,0,9.8,0\n")
        #expect(run.status == 0)
        let svg = try folder.text("out.svg")
        // Three axes, and one quantity in each of the other four.
        #expect(svg.ranges(of: "<circle").count == 7)
        #expect(!svg.contains("width=\"0\""))
    }

    @Test func `a segment too narrow for its name has only its colour`() throws {
        let folder = try TemporaryDirectory()
        let samples = (0..<2000).map { "\(Double($0) / 10),\((500..<505).contains($0) ? "9.8,0" : "0,9.8"),0\n" }
        let run = try Run(
            ["plot", "-", "--classifier", "quick", "-o", folder.file("out.svg")], input: samples.joined())
        #expect(run.status == 0)
        let svg = try folder.text("out.svg")
        #expect(svg.contains("fill=\"#ffd9a0\"") && svg.contains(">top edge<") && !svg.contains(">right edge<"))
    }

    @Test func `disturbances with a longer dwell time are shaded`() throws {
        let folder = try TemporaryDirectory()
        let run = try Run(["plot", "-", "-o", folder.file("out.svg")], input: Self.recording)
        #expect(run.status == 0)
        // From 1.2 to the scale's end at 10 m/s², in a panel 130 units high.
        let height = 130 * (10 - 1.2) / 10
        #expect(try folder.text("out.svg").contains("height=\"\(height)\" fill=\"#ece7d5\""))
    }

    @Test func `a damaged recording is drawn up to the damage, which is marked`() throws {
        let folder = try TemporaryDirectory()
        let run = try Run(["plot", "-", "-o", folder.file("out.svg")], input: Self.recording + "10,oops\n")
        #expect(run.status == 1)
        #expect(run.error.contains("standard input, line 201: ") && run.error.contains("shows the samples before"))
        #expect(run.error.count { $0.isNewline } == 1, "\(run.error)")
        let svg = try folder.text("out.svg")
        #expect(svg.contains("orientations: 3") && svg.contains(">damaged: "))
        let whole = try Run(["plot", "-", "-o", folder.file("whole.svg")], input: Self.recording)
        #expect(whole.status == 0)
        #expect(try !folder.text("whole.svg").contains(">damaged: "))
    }

    @Test func `a long recording makes a small picture`() throws {
        let folder = try TemporaryDirectory()
        let long = (0..<30_000).map { "\(Double($0) / 100),\($0 % 7),9,\($0 % 3)\n" }.joined()
        let run = try Run(["plot", "-", "-o", folder.file("out.svg")], input: long)
        #expect(run.status == 0)
        #expect(try folder.text("out.svg").utf8.count < 400_000)
    }

    @Test func `a failure to draw or write is one line`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.file("a.csv", Self.recording)
        for (arguments, message) in [
            ([file, "-o", "/nonexistent/out.svg"], "/nonexistent/out.svg: cannot write"),
            ([try folder.file("empty.csv", ""), "-o", "out.svg"], "no samples"),
            ([try folder.file("long.csv", "-1e308,0,9,0\n1e308,0,9,0\n"), "-o", "out.svg"], "time range too large"),
        ] {
            let run = try Run(["plot"] + arguments)
            #expect(run.status == 1)
            #expect(run.error.contains(message) && run.error.count { $0.isNewline } == 1, "\(run.error)")
        }
    }
}

/// Checks that a text is well-formed XML, and returns its elements.
private enum XMLCheck {
    static func elements(_ data: Data) throws -> Set<String> {
        let text = String(decoding: data, as: UTF8.self)
        var open: [Substring] = []
        var seen: Set<String> = []
        for tag in text.matches(of: /<(\/?)(\w+)[^>]*?(\/?)>/) {
            seen.insert(String(tag.output.2))
            if !tag.output.1.isEmpty {
                try #require(open.popLast() == tag.output.2)
            } else if tag.output.3.isEmpty {
                open.append(tag.output.2)
            }
        }
        try #require(open.isEmpty)
        return seen
    }
}
