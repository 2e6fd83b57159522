// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Recordings
import Testing

@Suite struct PlainCSVTests {
    @Test func `lines are parsed to the same samples for all chunk sizes`() {
        let text =
            "t,x,y,z\n# a remark\n0,0,9.81,0\r\n\n0.04, -1.5 ,+2,3e-2\n0.08,0.1,-.5,12345678901234567890"
        for chunk in 1...text.utf8.count {
            let reading = Reading(text, chunk: chunk)
            #expect(reading.error == nil)
            #expect(
                reading.samples == [
                    recorded(0, 0, 9.81, 0), recorded(0.04, -1.5, 2, 0.03),
                    recorded(0.08, 0.1, -0.5, 12_345_678_901_234_567_168),
                ])
        }
    }

    @Test func `a file without rows gives no samples and no error`() {
        for text in ["", "\n\n", "# only this", "t,x,y,z\n", "T, X, Y, Z"] {
            let reading = Reading(text)
            #expect(reading.error == nil && reading.samples.isEmpty, "\(text)")
        }
    }

    @Test(arguments: [
        ("0,0,abc,0", "line 3: invalid value 'abc' for y: must be a finite decimal number"),
        ("0,0,,0", "line 3: invalid value '' for y: must be a finite decimal number"),
        ("0,nan,0,0", "line 3: invalid value 'nan' for x: must be a finite decimal number"),
        ("0,0,0,1e999", "line 3: invalid value '1e999' for z: must be a finite decimal number"),
        ("0,0x10,0,0", "line 3: invalid value '0x10' for x: must be a finite decimal number"),
        ("0,1-2,0,0", "line 3: invalid value '1-2' for x: must be a finite decimal number"),
        ("0,1,2", "line 3: invalid row with 3 fields: must have the columns t,x,y,z"),
        ("0,1,2,3,4", "line 3: invalid row with 5 fields: must have the columns t,x,y,z"),
        ("-3,1,2,3", "line 3: time decreases from -2.0 to -3.0 s"),
        ("t,x,y,z", "line 3: invalid value 't' for t: must be a finite decimal number"),
    ])
    func `an invalid line is an error with its number, after the samples before it`(bad: String, message: String) {
        let reading = Reading("# first\n-2,0,0,1\n\(bad)\n0,0,0,1\n")
        #expect(reading.error?.description == message)
        #expect(reading.samples == [recorded(-2, 0, 0, 1)])
    }

    @Test func `a byte order mark is skipped at the beginning of the file only`() {
        #expect(Reading("\u{FEFF}t,x,y,z\n0,1,2,3\n").samples.count == 1)
        #expect(Reading("\u{FEFF}0,1,2,3\n").samples.count == 1)
        #expect(Reading("0,1,2,3\n\u{FEFF}1,1,2,3\n").error?.line == 2)
    }

    @Test(arguments: ["0,\u{1B}[31m,2,3\n", "# orientationd recording \u{1B}]0;owned\u{7}\n", "\u{9B}2J,1,2,3\n"])
    func `an error message contains no control characters of the file`(text: String) throws {
        let error = try #require(Reading(text).error)
        #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
        #expect(error.description.contains("?"))
    }

    @Test func `a timestamp may repeat and must not decrease`() {
        let reading = Reading("1,0,0,1\n1,0,0,1\n0.99,0,0,1\n")
        #expect(reading.times == [1, 1])
        #expect(reading.error == RecordingError(line: 3, .timeDecreases(from: 1, to: 0.99)))
    }

    @Test func `a file of zeros is refused at the line length limit`() {
        var reader = RecordingReader()
        reader.append(Array("0,0,0,1\n".utf8)[...])
        #expect(throws: Never.self) { try reader.next() }
        reader.append([UInt8](repeating: 0, count: RecordingLimits.lineLength + 1)[...])
        let expected = RecordingError(line: 2, .lineTooLong(limit: RecordingLimits.lineLength))
        for _ in 1...3 {
            #expect(throws: expected) { try reader.next() }
        }
    }

    @Test func `zero bytes in a line are refused`() {
        let reading = Reading(bytes: [0, 0, 10, 0, 10], chunk: 5)
        #expect(reading.error?.description.hasPrefix("line 1: invalid column names '??': must be a time") == true)
        #expect(reading.samples.isEmpty)
    }

    @Test func `numbers are parsed to the same bits as by the standard library`() {
        var bits: UInt64 = 1
        for count in 1...2000 {
            bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = (Double(bits >> 11) * 0x1p-53 - 0.5) * 160
            let scale: Double = [1, 10, 1e3, 1e6, 1e9][count % 5]
            let texts = [
                "\(value)", "\((value * scale).rounded() / scale)", "\(Int(value * scale)).\(count)",
            ]
            for text in texts {
                #expect(Reading("0,\(text),0,0\n").samples.first?.sample.acceleration.x == Double(text))
            }
        }
    }
}
