// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Dispatch
import Glibc
import OrientationClient
import OrientationModel
import OrientationWire
import Recordings
import Varlink

/// `orientationctl record`: keeps what the daemon's sensor measures, for a report or a test.
struct Record: AsksDaemon {
    static let configuration = CommandConfiguration(
        abstract: "Record what the sensor measures, raw and converted, until Ctrl-C.",
        discussion: """
            The recording says which sensor it was and how its numbers became m/s², so that others can reproduce what \
            happened: `replay:FILE` plays it, `classify` and `plot` look into it. For root, the daemon's user and the \
            group orientationd.
            """)

    @Argument(help: "Where to write; - for standard output.")
    var file: String

    @Option(help: ArgumentHelp("End after so many seconds.", valueName: "seconds"))
    var duration: Double?

    @Flag(help: "Write plain CSV, t,x,y,z, without the raw values.")
    var csv = false

    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    func validate() throws {
        if let duration, !(duration > 0 && duration < 1e9) { throw ValidationError("--duration must be more than 0") }
    }

    func run() async throws {
        let recording = Task { try await record() }
        let interrupts = [SIGINT, SIGTERM].map { Interrupt($0) { recording.cancel() } }
        defer { withExtendedLifetime(interrupts) {} }
        let timer = duration.map { seconds in
            Task {
                try await Task.sleep(for: .seconds(seconds))
                recording.cancel()
            }
        }
        defer { timer?.cancel() }
        try await recording.value
    }

    /// Records until there is no more, or the task is cancelled; what there is then is a whole recording.
    private func record() async throws {
        var recording: OpenRecording?
        do {
            for try await reply in daemon.replies(to: MotionInterface.monitor) {
                if let reason: String = try reply.optionalValue("reason") {
                    ExitStatus.say("waiting for samples: \(reason)")
                    continue
                }
                let origin: JSONObject? = try reply.optionalValue("origin")
                if recording == nil {
                    let header = try header(origin)
                    recording = try OpenRecording(TextOutput(path: file), csv ? .plainCSV : .recording(header))
                } else if origin != nil {
                    throw Failure("the sensor or its settings changed; the recording is complete up to there")
                }
                try recording?.add(try reply.value("samples"))
            }
        } catch {
            try recording?.finish()
            throw error
        }
        guard let recording else { throw Failure("the sensor gave no sample; nothing was written") }
        try recording.finish()
    }

    private func header(_ origin: JSONObject?) throws -> RecordingHeader {
        var header = RecordingHeader()
        header.kernel = Self.kernelRelease
        guard let origin else { return header }
        header.device = try origin.optionalValue("device")
        header.driver = try origin.optionalValue("driver")
        header.scale = try origin.optionalValue("scale")
        header.offset = try origin.optionalValue("offset")
        header.matrix = try origin.optionalValue("matrix")
        header.matrixSource = try origin.optionalValue("matrixSource")
        header.sense = try origin.optionalValue("sense")
        header.rate = try origin.optionalValue("rate")
        return header
    }

    private static var kernelRelease: String? {
        var name = utsname()
        guard uname(&name) == 0 else { return nil }
        return withUnsafeBytes(of: &name.release) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

/// A recording that is being written.
private final class OpenRecording {
    private let output: TextOutput
    private var writer: RecordingWriter
    private var start: Int64?

    init(_ output: TextOutput, _ format: RecordingWriter.Format) {
        self.output = output
        writer = RecordingWriter(format)
        output.add(writer.beginning())
    }

    /// Adds samples in their wire form; time counts from the first of all.
    func add(_ samples: [JSONObject]) throws {
        for sample in samples {
            let timestamp: Int64 = try sample.value("timestamp")
            let first = start ?? timestamp
            start = first
            output.add(writer.line(try RecordedSample(sample, time: Double(timestamp - first) / 1_000_000)))
        }
        try output.flush()
    }

    func finish() throws {
        output.add(writer.ending())
        try output.flush()
    }
}

extension RecordedSample {
    /// Reads a sample from its wire form; `time` is in seconds.
    fileprivate init(_ json: JSONObject, time: Double) throws {
        let raw: [Double]? = try json.optionalValue("raw")
        self.init(
            Sample(
                time: time,
                acceleration: Acceleration(
                    x: try json.value("x"), y: try json.value("y"), z: try json.value("z"))),
            raw: raw.flatMap { $0.count == 3 ? Raw(x: $0[0], y: $0[1], z: $0[2]) : nil })
    }
}

/// Hears a signal in place of being ended by it, once: a second one ends a program that is stuck.
private final class Interrupt {
    private let source: any DispatchSourceSignal

    init(_ signal: Int32, _ handler: @escaping @Sendable () -> Void) {
        Glibc.signal(signal, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: signal)
        source.setEventHandler {
            Glibc.signal(signal, SIG_DFL)
            handler()
        }
        source.resume()
    }
}
