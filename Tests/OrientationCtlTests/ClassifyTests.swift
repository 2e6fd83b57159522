// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite struct ClassifyTests {
    private static let turned = """
        t,x,y,z
        0,0,9.81,0
        1,9.81,0,0
        1.2,9.81,0,0
        1.4,9.81,0,0

        """

    @Test func `each change is a line, the first answer included, from a file and from standard input`() throws {
        let folder = try TemporaryFolder()
        let expected = "0.0,portrait\n1.0,landscapeLeft\n"
        let file = try Run(["classify", folder.file("turned.csv", Self.turned)])
        #expect(file.status == 0 && file.output == expected && file.error.isEmpty)
        let piped = try Run(["classify", "--format", "csv", "-"], input: Self.turned)
        #expect(piped.status == 0 && piped.output == expected)
    }

    @Test func `as JSON each line is an object with all that the classifier says`() throws {
        struct Line: Decodable, Equatable {
            var t: Double
            var orientation: String
            var lastEdge: String?
            var tilt: Double
            var disturbance: Double
        }
        let run = try Run(["classify", "--format", "json", "-"], input: "3,0,0,9.80665\n")
        let line = try JSONDecoder().decode(Line.self, from: Data(run.output.utf8))
        #expect(line == Line(t: 3, orientation: "faceUp", tilt: 90, disturbance: 0))
    }

    @Test func `a live pipe is answered before it ends`() throws {
        let process = Process()
        process.executableURL = Run.products.appendingPathComponent("orientationctl")
        process.arguments = ["classify", "-"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("0,0,9.81,0\n".utf8))
        // The pipe is still open: this returns because the tool wrote, not because it ended.
        #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "0.0,portrait\n")
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func `a damaged line ends it with status 1 and one line, and what came before is answered`() throws {
        let run = try Run(["classify", "-"], input: "0,0,9.81,0\n1,2,3\n2,9.81,0,0\n")
        #expect(run.status == 1)
        #expect(run.output == "0.0,portrait\n")
        #expect(
            run.error
                == "orientationctl: standard input, line 2: invalid row with 3 fields: must have the columns t,x,y,z\n")
    }

    @Test func `a file that is not there is a failure and an unknown option wrong use`() throws {
        let absent = try Run(["classify", "/nonexistent/file"])
        #expect(absent.status == 1 && absent.error == "orientationctl: /nonexistent/file: No such file or directory\n")
        for arguments in [
            ["classify"], ["classify", "--format", "xml", "-"], ["classify", "--classifier", "still", "-"],
            ["classify", "--classifier", "calm,dwell=99", "-"], ["classify", "-", "-"], ["clasify"],
            ["plot", "-"], ["plot", "-o", "x.svg"], ["plot", "--bands", "-", "-o", "x.svg"],
        ] {
            let run = try Run(arguments)
            #expect(run.status == 64, "\(arguments)")
            #expect(run.output.isEmpty && run.error.hasPrefix("orientationctl: "))
            #expect(run.error.count { $0.isNewline } == 1, "\(run.error)")
        }
    }

    @Test func `another classifier answers otherwise`() throws {
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
