// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct ClassifyTests {
    private static let turned = """
        t,x,y,z
        0,0,9.81,0
        1,9.81,0,0
        1.2,9.81,0,0
        1.4,9.81,0,0

        """

    @Test func `each change is a line, the first orientation included, from a file and from standard input`() throws {
        let folder = try TemporaryDirectory()
        let expected = "0.0,portrait\n1.0,landscapeLeft\n"
        let file = try Run(["classify", folder.file("turned.csv", Self.turned)])
        #expect(file.status == 0 && file.output == expected && file.error.isEmpty)
        let piped = try Run(["classify", "-"], input: Self.turned)
        #expect(piped.status == 0 && piped.output == expected)
    }

    @Test func `--json prints an object for each change`() throws {
        struct Line: Decodable, Equatable {
            var t: Double
            var orientation: String
            var lastEdge: String?
            var tilt: Double
            var disturbance: Double
        }
        let run = try Run(["classify", "--json", "-"], input: "3,0,0,9.80665\n")
        let line = try JSONDecoder().decode(Line.self, from: Data(run.output.utf8))
        #expect(line == Line(t: 3, orientation: "faceUp", tilt: 90, disturbance: 0))
    }

    @Test func `a change in a pipe is printed before the pipe ends`() throws {
        let tool = try InteractiveProgram(Programs.tool, ["classify", "-"])
        try tool.writeLine("0,0,9.81,0")
        // The pipe is still open: this returns because the tool wrote, not because it exited.
        #expect(try tool.program.line() == "0.0,portrait")
        #expect(try tool.end() == 0)
    }

    @Test func `a damaged line is a failure after the changes before it`() throws {
        let run = try Run(["classify", "-"], input: "0,0,9.81,0\n1,2,3\n2,9.81,0,0\n")
        #expect(run.status == 1)
        #expect(run.output == "0.0,portrait\n")
        #expect(
            run.error
                == "orientationctl: standard input, line 2: invalid row with 3 fields: must have the columns t,x,y,z\n")
    }

    @Test func `classifiers differ in when they report a change`() throws {
        let samples = (0..<100).map { "\(Double($0) / 50),\($0 < 50 ? "0,9.81" : "9.81,0"),0\n" }.joined()
        let times = try ["quick", "standard", "calm", "calm,smoothing=2,smoothingShaken=3"].map { name in
            let run = try Run(["classify", "--classifier", name, "-"], input: samples)
            return run.output.split(separator: "\n").dropFirst().first.flatMap { Double($0.prefix { $0 != "," }) }
        }
        #expect(times.prefix(3).compactMap { $0 } == times.prefix(3).compactMap { $0 }.sorted())
        #expect(times[0] != nil && times[2] != nil && times[0] != times[2])
        #expect(times[3] == nil)
    }
}
