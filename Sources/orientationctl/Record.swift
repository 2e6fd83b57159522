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
        var output: TextOutput?
        var writer: RecordingWriter?
        var start: Int64?
        for try await reply in daemon.replies(to: MotionInterface.monitor) {
            if output == nil {
                output = try TextOutput(path: file)
                writer = RecordingWriter(csv ? .plainCSV : .recording(try header(reply.optionalValue("origin"))))
                output?.add(writer?.beginning() ?? "")
            }
            for json: JSONObject in try reply.value("samples", as: [JSONObject].self) {
                let timestamp: Int64 = try json.value("timestamp")
                start = start ?? timestamp
                let seconds = Double(timestamp - (start ?? timestamp)) / 1_000_000
                output?.add(try writer?.line(RecordedSample(json, time: seconds)) ?? "")
            }
            try output?.flush()
        }
        guard let writer else { throw Failure("the sensor gave no sample; nothing was written") }
        output?.add(writer.ending())
        try output?.flush()
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

/// Hears a signal in place of being ended by it.
private final class Interrupt {
    private let source: any DispatchSourceSignal

    init(_ signal: Int32, _ handler: @escaping @Sendable () -> Void) {
        Glibc.signal(signal, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: signal)
        source.setEventHandler(handler: handler)
        source.resume()
    }
}
