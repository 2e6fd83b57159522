// SPDX-License-Identifier: Apache-2.0

import Calibration
import OrientationClient
import OrientationModel
import OrientationWire
import Recordings
import Varlink

/// Turns the replies of `org.orientationd.Motion.Monitor` into a recording.
struct MotionRecording {
    private var writer: RecordingWriter
    private var start: Int64?
    private var hasBegun = false
    private var seconds = 0.0
    private var count = 0

    /// Begins with the first reply, which says what sensor it is.
    init(first reply: JSONObject, csv: Bool = false) throws {
        let origin: JSONObject? = try reply.optionalValue("origin")
        writer = RecordingWriter(csv ? .plainCSV : .recording(try RecordingHeader(origin)))
    }

    /// What a reply adds, the header included where it is the first; time counts from the first sample of all.
    mutating func text(of reply: JSONObject) throws -> String {
        if hasBegun, reply["origin"] != nil {
            throw Failure("the sensor or its settings changed; the recording is complete up to there")
        }
        var text = hasBegun ? "" : writer.beginning()
        hasBegun = true
        for sample in try reply.value("samples", as: [JSONObject].self) {
            let first = try start ?? RecordedSample.timestamp(of: sample)
            start = first
            let recorded = try RecordedSample(sample, since: first)
            seconds = recorded.sample.time
            count += 1
            text += writer.line(recorded)
        }
        return text
    }

    /// For a person who waits.
    func progress(of duration: Double?) -> String {
        let end = duration.map { " of \(Decimal.text($0, places: 0))" } ?? ""
        return "recording: \(Decimal.text(seconds, places: 0))\(end) s, \(count) samples"
    }

    /// Samples per second as they were recorded; nil for fewer than two.
    var rate: Double? { count > 1 && seconds > 0 ? Double(count - 1) / seconds : nil }

    /// What was recorded, as one line.
    func summary(file: String) -> String {
        let name = file == "-" ? "standard output" : file
        let pace = rate.map { ", \(Decimal.text($0, places: 1)) per second" } ?? ""
        let samples = "\(count) \(count == 1 ? "sample" : "samples")"
        return "\(name): recorded \(samples) in \(Decimal.text(seconds, places: 1)) s\(pace)"
    }

    /// The same for a program.
    func facts(file: String) -> JSONObject {
        var facts: JSONObject = [
            "file": .string(file), "samples": .integer(Int64(count)), "seconds": .real(seconds),
        ]
        facts["rate"] = rate.map { .real($0) }
        return facts
    }

    /// The last line of a complete recording.
    func ending() -> String { writer.ending() }

    /// Records for some seconds, and shows how far it is; nil where there was no sample.
    static func record(_ service: OrientationService, seconds: Double) async throws -> String? {
        let recording = Task { () -> String? in
            var recording: MotionRecording?
            var text = ""
            let progress = Progress()
            defer { progress.clear() }
            for try await reply in service.replies(to: MotionInterface.monitor) where reply["reason"] == nil {
                // Of another sensor the samples would not belong to the first one's.
                if recording != nil, reply["origin"] != nil { break }
                var current = try recording ?? MotionRecording(first: reply)
                text += try current.text(of: reply)
                progress.show(current.progress(of: seconds))
                recording = current
            }
            guard let recording else { return nil }
            return text + recording.ending()
        }
        return try await withTaskCancellationHandler {
            let timer = Task {
                try await Task.sleep(for: .seconds(seconds))
                recording.cancel()
            }
            defer { timer.cancel() }
            let text = try await recording.value
            try Task.checkCancellation()
            return text
        } onCancel: {
            recording.cancel()
        }
    }
}

extension RecordingHeader {
    /// What is known of the sensor, by the daemon and on this machine.
    fileprivate init(_ origin: JSONObject?) throws {
        try self.init(origin: origin ?? [:])
        kernel = FactsReader.kernelRelease
        // A board elsewhere has no driver that is known, and no entry in this machine's database.
        guard driver != nil else { return }
        match = device.flatMap { LocalSensor(name: $0, in: .this)?.match.pattern }
        // Cut off it would match other machines.
        if let match, match.count > RecordingLimits.textLength { self.match = nil }
    }

    /// Reads what the daemon says of its sensor.
    init(origin: JSONObject) throws {
        self.init()
        device = try origin.optionalValue("device")
        driver = try origin.optionalValue("driver")
        scale = try origin.numbers("scale", count: 3)
        offset = try origin.numbers("offset", count: 3)
        matrix = try origin.numbers("matrix", count: 9)
        matrixSource = try origin.optionalValue("matrixSource")
        sense = try origin.optionalValue("sense")
        rate = try origin.optionalValue("rate")
    }
}

extension JSONObject {
    /// Reads an array of exactly so many numbers, which may be absent.
    fileprivate func numbers(_ key: String, count: Int) throws(JSONMismatch) -> [Double]? {
        guard let numbers: [Double] = try optionalValue(key) else { return nil }
        guard numbers.count == count else {
            throw JSONMismatch(path: key, expected: "\(count) numbers", found: "\(numbers.count)")
        }
        return numbers
    }
}

extension RecordedSample {
    /// When a sample in its wire form was taken, in microseconds.
    static func timestamp(of json: JSONObject) throws -> Int64 { try json.value("timestamp") }

    /// Reads a sample from its wire form; its time counts from `start`.
    init(_ json: JSONObject, since start: Int64 = 0) throws {
        let timestamp = try Self.timestamp(of: json)
        let (microseconds, isTooFar) = timestamp.subtractingReportingOverflow(start)
        guard !isTooFar else { throw Failure("the samples' timestamps are invalid: \(timestamp) after \(start) µs") }
        let time = Double(microseconds) / 1_000_000
        let raw: [Double]? = try json.optionalValue("raw")
        self.init(
            Sample(
                time: time,
                acceleration: Acceleration(
                    x: try json.value("x"), y: try json.value("y"), z: try json.value("z"))),
            raw: raw.flatMap { $0.count == 3 ? Raw(x: $0[0], y: $0[1], z: $0[2]) : nil })
    }
}
