// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Recordings
import Testing

@Suite struct RecordingFormatTests {
    private static let header: RecordingHeader = {
        var header = RecordingHeader()
        header.device = "kxcjk1013"
        header.kernel = "6.1.0-18-amd64"
        header.driver = "kxcjk1013"
        header.scale = [0.009582, 0.009582, 0.0096]
        header.offset = [0, -1, 2.5]
        header.matrix = [-1, 0, 0, 0, 1, 0, 0, 0, 1]
        header.matrixSource = "ACCEL_MOUNT_MATRIX"
        header.sense = "specific force"
        header.rate = 12.5
        header.natural = .landscapeLeft
        return header
    }()

    private static let samples = [
        RecordedSample(
            Sample(time: 0.1 + 0.2, acceleration: Acceleration(x: 1.0 / 3, y: -9.81, z: 1e-17)),
            raw: RecordedSample.Raw(x: 34.5, y: -1023, z: 0)),
        recorded(123_456.789012, 0.01, 9.806, -0.004),
    ]

    private static func text(_ format: RecordingWriter.Format) -> String {
        var writer = RecordingWriter(format)
        return ([writer.beginning()] + samples.map { writer.line($0) } + [writer.ending()]).joined()
    }

    private static let whole = text(.recording(header))

    @Test func `a written recording is read back to the same bits`() {
        for chunk in [1, 13, 4096] {
            let reading = Reading(Self.whole, chunk: chunk)
            #expect(reading.error == nil)
            #expect(reading.samples == Self.samples)
            #expect(reading.header == Self.header)
        }
    }

    @Test func `a header value is cut by bytes, and its line is read back`() {
        var header = RecordingHeader()
        header.device = "a" + String(repeating: "\u{301}", count: 2_000)
        let writer = RecordingWriter(.recording(header))
        let reading = Reading(writer.beginning() + writer.ending())
        #expect(reading.error == nil)
        #expect(reading.header.device?.utf8.count == 959)
    }

    @Test func `a combining mark behind the colon of a header line belongs to the value`() {
        let reading = Reading(
            "# orientationd recording 1\n# device:\u{301}x\nt,x,y,z,raw_x,raw_y,raw_z\n# samples: 0\n")
        #expect(reading.error == nil)
        #expect(reading.header.device == "\u{301}x")
    }

    @Test func `plain CSV has all samples without raw values`() {
        let reading = Reading(Self.text(.plainCSV))
        #expect(reading.error == nil)
        #expect(reading.samples == Self.samples.map { RecordedSample($0.sample) })
    }

    @Test func `a recording truncated at any byte is an error, after its complete lines`() {
        let bytes = Array(Self.whole.utf8)
        for length in 1..<bytes.count {
            let reading = Reading(bytes: Array(bytes[..<length]), chunk: 64)
            let lines = bytes[..<length].count { $0 == 10 }
            let isTitleWhole = lines > 0
            if isTitleWhole { #expect(reading.error != nil, "cut after \(length) bytes") }
            #expect(reading.samples == Array(Self.samples.prefix(max(0, lines - 12))))
        }
    }

    @Test(arguments: [
        ("recording 1", "recording 2", "line 1: unknown recording version '2': must be 1"),
        (
            "scale: 0.009582 ", "scale: 0.009582 x ",
            "line 5: invalid value '0.009582 x 0.009582 0.0096' for scale: must be 3 numbers"
        ),
        (
            "# matrix: -1.0", "# matrix:",
            "line 7: invalid value '0.0 0.0 0.0 1.0 0.0 0.0 0.0 1.0' for matrix: must be 9 numbers"
        ),
        ("rate: 12.5", "rate: fast", "line 10: invalid value 'fast' for rate: must be a number"),
        (
            "natural: landscapeLeft", "natural: sideways",
            "line 11: invalid value 'sideways' for natural: must be portrait or landscapeLeft"
        ),
        ("rate: 12.5", "device: other", "line 10: duplicate header key: device"),
        (
            "raw_x", "rax_x",
            "line 12: invalid column names 't,x,y,z,rax_x,raw_y,raw_z': must be t,x,y,z,raw_x,raw_y,raw_z"
        ),
        ("34.5", "3A.5", "line 13: invalid value '3A.5' for raw_x: must be a finite decimal number"),
        ("samples: 2", "samples: 3", "line 15: sample count mismatch: the last line states 3, the table has 2"),
        ("samples: 2\n", "samples: 2\n1,0,0,0,,,\n", "line 16: unexpected data after the end of the recording"),
        ("# samples: 2", "# orientationd recording 1", "line 15: header of a second recording inside the table"),
    ])
    func `a damaged recording is an error with line and cause`(
        good: String, bad: String, message: String
    ) {
        let parts = Self.whole.split(separator: good, maxSplits: 1, omittingEmptySubsequences: false)
        #expect(parts.count == 2, "the recording has no '\(good)' to damage")
        let reading = Reading(parts.joined(separator: bad))
        #expect(reading.error?.description == message)
    }

    @Test func `the natural orientation of a recording is optional`() {
        let text = Self.whole.split(separator: "\n").filter { $0 != "# natural: landscapeLeft" }
        let reading = Reading(text.joined(separator: "\n") + "\n")
        #expect(reading.error == nil)
        #expect(reading.header.natural == nil && reading.samples == Self.samples)
    }

    @Test func `an unknown header key is ignored`() {
        let text = "# orientationd recording 1\n# colour: blue\nt,x,y,z,raw_x,raw_y,raw_z\n# samples: 0\n"
        #expect(Reading(text).error == nil)
    }

    @Test func `a header over the line limit is refused`() {
        let text = "# orientationd recording 1\n" + String(repeating: "# again\n", count: 100)
        let limit = RecordingLimits.headerLines
        #expect(Reading(text).error == RecordingError(line: limit + 1, .headerTooLong(limit: limit)))
    }

    @Test func `line endings in a header value are replaced`() {
        var header = RecordingHeader()
        header.device = "bma\n# scale: 1 1 1\r\nx"
        let reading = Reading(RecordingWriter(.recording(header)).beginning() + "# samples: 0\n")
        #expect(reading.error == nil)
        #expect(reading.header.device == "bma # scale: 1 1 1  x")
        #expect(reading.header.scale == nil)
    }
}
