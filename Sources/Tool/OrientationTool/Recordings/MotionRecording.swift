// SPDX-License-Identifier: Apache-2.0

import OrientationClient
import OrientationModel
import OrientationWire
import Recordings
import Varlink

/// Converts the replies of `org.orientationd.Motion.Monitor` to a recording.
struct MotionRecording {
    private var writer: RecordingWriter
    private let natural: Edge?
    private var start: Int64?
    private var hasBegun = false
    private var seconds = 0.0
    private var count = 0

    /// Creates a recording with the sensor's facts from the first reply, and the natural orientation.
    init(first reply: JSONObject, natural: Edge?, csv: Bool = false) throws {
        let origin: JSONObject? = try reply.optionalValue("origin")
        var header = try RecordingHeader(origin)
        header.natural = natural
        self.natural = natural
        writer = RecordingWriter(csv ? .plainCSV : .recording(header))
    }

    /// Returns the natural orientation from the daemon's current state; nil if it sends none.
    private static func natural(_ service: OrientationService) async -> Edge? {
        do {
            for try await reply in service.replies(to: OrientationInterface.monitor) {
                return try OrientationState(reply: reply).natural
            }
        } catch {
            // The samples are worth recording without it.
        }
        return nil
    }

    /// Returns the text for a reply, with the header before the first one. Time counts from the first sample.
    mutating func text(of reply: JSONObject) throws -> String {
        if hasBegun, reply["origin"] != nil { throw SensorChanged() }
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

    func progress(of duration: Double?) -> String {
        // "0 of 1 s" for half a second would be wrong.
        let places = duration.map { $0.rounded() == $0 } ?? true ? 0 : 2
        let end = duration.map { " of \(Decimal.text($0, places: places))" } ?? ""
        return "recording: \(Decimal.text(seconds, places: places))\(end) s, \(count) samples"
    }

    /// The measured rate in hertz; nil for fewer than two samples.
    var rate: Double? { count > 1 && seconds > 0 ? Double(count - 1) / seconds : nil }

    func summary(file: String) -> String {
        let name = file == "-" ? "standard output" : file
        let pace = rate.map { ", \(Decimal.text($0, places: 1)) per second" } ?? ""
        let samples = "\(count) \(count == 1 ? "sample" : "samples")"
        return "\(name): recorded \(samples) in \(Decimal.text(seconds, places: 1)) s\(pace)"
    }

    func facts(file: String) -> JSONObject {
        var facts: JSONObject = [
            "file": .string(file), "samples": .integer(Int64(count)), "seconds": .real(seconds),
        ]
        facts["rate"] = rate.map { .real($0) }
        facts["natural"] = natural.map { .string($0.description) }
        return facts
    }

    /// Returns the last line of a complete recording.
    func ending() -> String { writer.ending() }

    /// Records until the replies end, which the cancellation of the task ends too.
    ///
    /// - Parameters:
    ///   - service: The daemon.
    ///   - rate: The sampling rate to request, in hertz.
    ///   - csv: Whether to write plain CSV.
    ///   - onWaiting: Called with the reason when samples stop; they resume by themselves.
    ///   - write: Called for each part of the text, also for the last line if an error follows.
    /// - Returns: The recording; nil without a sample.
    /// - Throws: ``SensorChanged``, or the error of the daemon or of `write`.
    static func record(
        _ service: OrientationService, rate: Double? = nil, csv: Bool = false, onWaiting: (String) -> Void = { _ in },
        write: (String, MotionRecording) throws -> Void
    ) async throws -> MotionRecording? {
        var recording: MotionRecording?
        do {
            let parameters: JSONObject = rate.map { ["maximumRate": .real($0)] } ?? [:]
            for try await reply in service.replies(to: MotionInterface.monitor, parameters) {
                if let reason: String = try reply.optionalValue("reason") {
                    onWaiting(reason)
                    continue
                }
                if recording == nil {
                    // A separate task: the end of the duration cancels this one, and the header would lack the natural
                    // orientation.
                    let natural = await Task { await Self.natural(service) }.value
                    recording = try MotionRecording(first: reply, natural: natural, csv: csv)
                }
                guard let text = try recording?.text(of: reply), let recording else { continue }
                try write(text, recording)
            }
        } catch {
            if let recording { try write(recording.ending(), recording) }
            throw error
        }
        if let recording { try write(recording.ending(), recording) }
        return recording
    }
}

/// The samples of the sensor changed their meaning during a recording.
struct SensorChanged: Error, CustomStringConvertible {
    var description: String { "recording: the sensor or its settings changed; the samples before that were written" }
}

extension RecordingHeader {
    /// Creates a header from the daemon's facts about the sensor and the facts of this machine.
    fileprivate init(_ origin: JSONObject?) throws {
        try self.init(origin: origin ?? [:])
        kernel = FactsReader.kernelRelease
        // Without a driver it is a recording or the simulated device, for which this machine's database has no entry.
        guard driver != nil else { return }
        match = device.flatMap { LocalSensor(name: $0, in: .this)?.match.pattern }
        // A truncated pattern would match other machines.
        if let match, match.utf8.count > RecordingLimits.textLength { self.match = nil }
    }

    /// Parses the daemon's facts about its sensor.
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
    /// Parses an optional array of exactly `count` numbers.
    fileprivate func numbers(_ key: String, count: Int) throws(JSONMismatch) -> [Double]? {
        guard let numbers: [Double] = try optionalValue(key) else { return nil }
        guard numbers.count == count else {
            throw JSONMismatch(path: key, expected: "\(count) numbers", found: "\(numbers.count)")
        }
        return numbers
    }
}

extension RecordedSample {
    /// Returns the time of a sample in its wire form, in microseconds.
    static func timestamp(of json: JSONObject) throws -> Int64 { try json.value("timestamp") }

    /// Parses a sample in its wire form; its time counts from `start`.
    init(_ json: JSONObject, since start: Int64 = 0) throws {
        let timestamp = try Self.timestamp(of: json)
        let (microseconds, isTooFar) = timestamp.subtractingReportingOverflow(start)
        guard !isTooFar else { throw Failure("samples: invalid timestamp \(timestamp) after \(start) µs") }
        let time = Double(microseconds) / 1_000_000
        let raw: [Double]? = try json.optionalValue("raw")
        self.init(
            Sample(
                time: time,
                acceleration: Acceleration(x: try json.value("x"), y: try json.value("y"), z: try json.value("z"))),
            raw: raw.flatMap { $0.count == 3 ? Raw(x: $0[0], y: $0[1], z: $0[2]) : nil })
    }
}
