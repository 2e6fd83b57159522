// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Recordings
import Testing

/// The unit of the times of CSV files.
@Suite struct CSVTimeTests {
    private func log(_ times: [some CustomStringConvertible], header: String = "") -> String {
        header + times.map { "\($0),0,9.81,0\n" }.joined()
    }

    /// 20 ms from sample to sample in each unit, from different starts.
    @Test(arguments: [
        (TimeUnit.s, 0.02, 0.0), (.s, 0.02, 1_700_000_000), (.ms, 20, 12_345_678), (.ms, 20, 1_700_000_000_000),
        (.us, 20_000, 5_000), (.ns, 20_000_000, 4_567_890_123_456_789), (.ns, 20_000_000, 0), (.s, 1, 0),
        (.s, 0.0005, 1),
        (.ms, 2, 7),
    ])
    func `the median step decides the unit`(unit: TimeUnit, step: Double, start: Double) throws {
        let factors: [TimeUnit: Double] = [.s: 1, .ms: 1e-3, .us: 1e-6, .ns: 1e-9]
        let seconds = try #require(factors[unit])
        for header in ["", "t,x,y,z\n", "timestamp,x,y,z\n"] {
            let reading = Reading(log((0..<40).map { start + Double($0) * step }, header: header))
            #expect(reading.error == nil && reading.samples.count == 40)
            let steps = zip(reading.times, reading.times.dropFirst()).map { $1 - $0 }
            #expect(steps.allSatisfy { abs($0 / (step * seconds) - 1) < 0.01 }, "\(steps)")
            let note = reading.notes.last { $0.hasPrefix("times in ") }
            let other = step == 1 ? ", which may also be ms" : ""
            let isDocumented = unit == .s && step < 1 && !header.hasPrefix("timestamp")
            #expect(note == (isDocumented ? nil : "times in \(unit): the median step is \(step)\(other)"))
        }
    }

    @Test func `a stated unit is used, whatever the steps are`() {
        let times = [0.0, 20, 40, 60, 80, 100]
        #expect(Reading(log(times), timeUnit: .s).times == times)
        #expect(Reading(log(times), timeUnit: .us).times.last == 100e-6)
        #expect(Reading(log([0.0, 0.02, 0.04]), timeUnit: .ms).times.last == 40e-6)
        #expect(Reading(log(times, header: "Time (s),x,y,z\n"), timeUnit: .ms).times.last == 0.1)
        #expect(Reading(log(times, header: "Time (s),x,y,z\n"), timeUnit: .s).times == times)
    }

    @Test func `a unit in the name is used without a message if the steps fit it`() {
        let named = Reading(log((0..<20).map { Double($0) / 2 }, header: "Time (s),x,y,z\n"))
        #expect(named.times.last == 9.5 && named.error == nil && named.notes.count == 1)
        #expect(Reading(log((0..<20).map { 5 + $0 }, header: "t_ms,x,y,z\n")).times.last == 0.024)
        #expect(Reading(log([5, 3_000], header: "t_ms,x,y,z\n")).times == [0.005, 3])
    }

    @Test(arguments: [
        ("time (s)", "s", 20.0), ("seconds_elapsed", "s", 20), ("timestamp_ms", "ms", 20e6), ("time_ms", "ms", 0.02),
    ])
    func `a unit in the name that the steps contradict is an error, and no sample is read`(
        column: String, unit: String, step: Double
    ) {
        let text = log((1..<40).map { Double($0) * step }, header: "\(column),x,y,z\n")
        let reading = Reading(text)
        #expect(reading.samples.isEmpty)
        let start = "line 10: wrong unit \(unit) in '\(column)': the median step is "
        #expect(reading.error?.description.hasPrefix(start) == true, "\(reading.error as Any)")
        #expect(reading.error?.description.contains("--time-unit s|ms|us|ns") == true)
        #expect(Reading(text, timeUnit: .s).error == nil)
        // The end of the file, after few steps.
        #expect(Reading(log((1..<5).map { Double($0) * step }, header: "\(column),x,y,z\n")).error != nil)
    }

    @Test func `a stated unit is refused for a recording, whose times are in seconds`() {
        let recording = "# orientationd recording 1\nt,x,y,z,raw_x,raw_y,raw_z\n0,0,9.8,0,,,\n# samples: 1\n"
        #expect(Reading(recording, timeUnit: .s).error == RecordingError(line: 1, .statedUnit))
    }

    @Test(arguments: [1e-6, 1e-4, 5e9])
    func `a step that fits no unit is an error that names the option`(step: Double) {
        let reading = Reading(log((1..<40).map { Double($0) * step }))
        #expect(reading.samples.isEmpty)
        #expect(reading.error?.description.contains("unknown unit of time in 't': the median step is ") == true)
        #expect(reading.error?.description.contains("--time-unit s|ms|us|ns") == true)
    }

    @Test func `pauses, bursts and repeated times do not change the unit`() {
        let times = [5, 5, 6, 7, 27, 47, 47, 67, 10_065, 10_085, 10_105, 10_125, 10_145, 10_165]
        #expect(Reading(log(times)).times.last == 10.165)
    }

    @Test func `a file in seconds is read without a delay, and corrected if the median contradicts`() throws {
        var reader = RecordingReader()
        reader.append(Array(log([0]).utf8)[...])
        #expect(try reader.next()?.sample.time == 0)
        reader.append(Array(log([0.04]).utf8)[...])
        #expect(try reader.next()?.sample.time == 0.04)
        // Milliseconds whose first step is short.
        let reading = Reading(log([0, 0.9] + (1...20).map { 0.9 + 20 * Double($0) }))
        #expect(reading.times.prefix(2) == [0, 0.9] && reading.times == reading.times.sorted())
        #expect(zip(reading.times.suffix(10), reading.times.suffix(9)).allSatisfy { abs($1 - $0 - 0.02) < 1e-9 })
        #expect(reading.notes.count == 1)
    }

    @Test func `too few steps are in seconds, and so are times that never change`() {
        #expect(Reading(log([0, 3_600])).times == [0, 3_600])
        #expect(Reading(log(Array(repeating: 7, count: 200))).times == Array(repeating: 7, count: 200))
    }

    @Test func `samples that were held are returned before an error`() {
        let reading = Reading(log([100, 120, 140, 160, 180]) + "oops,1\n")
        #expect(reading.times == [0.1, 0.12, 0.14, 0.16, 0.18] && reading.error?.line == 6)
    }
}
