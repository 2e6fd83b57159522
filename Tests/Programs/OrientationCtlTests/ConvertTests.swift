// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct ConvertTests {
    private static let recording = """
        # orientationd recording 1
        # device: kxcjk1013
        # scale: 0.01 0.01 0.01
        t,x,y,z,raw_x,raw_y,raw_z
        0.0,0.0,9.81,0.0,0.0,981.0,0.0
        0.5,9.81,0.0,0.0,981.0,0.0,0.0
        # samples: 2

        """

    private static let csv = "t,x,y,z\n0.0,0.0,9.81,0.0\n0.5,9.81,0.0,0.0\n"

    @Test func `a recording converts to plain CSV, and to itself`() throws {
        let plain = try Run(["convert", "-"], input: Self.recording)
        #expect(plain.status == 0 && plain.output == Self.csv)
        let same = try Run(["convert", "--format", "recording", "-"], input: Self.recording)
        #expect(same.status == 0 && same.output == Self.recording)
    }

    @Test func `plain CSV converts to an equivalent recording`() throws {
        let made = try Run(["convert", "--format", "recording", "-"], input: Self.csv)
        #expect(made.output.hasPrefix("# orientationd recording 1\n") && made.output.hasSuffix("# samples: 2\n"))
        #expect(try Run(["convert", "-"], input: made.output).output == Self.csv)
        #expect(try Run(["classify", "-"], input: made.output).output == "0.0,portrait\n0.5,landscapeLeft\n")
    }

    @Test func `empty input converts to an empty recording`() throws {
        let made = try Run(["convert", "--format", "recording", "-"])
        #expect(made.status == 0 && made.output.hasSuffix("t,x,y,z,raw_x,raw_y,raw_z\n# samples: 0\n"))
    }

    @Test func `a converted damaged recording reads as truncated`() throws {
        let cut = String(Self.recording.dropLast(20))
        let run = try Run(["convert", "--format", "recording", "-"], input: cut)
        #expect(run.status == 1 && run.error.contains("line 6"))
        let again = try Run(["convert", "-"], input: run.output)
        #expect(again.status == 1 && again.error.contains("truncated"))
        #expect(again.output == "t,x,y,z\n0.0,0.0,9.81,0.0\n")
    }
}
