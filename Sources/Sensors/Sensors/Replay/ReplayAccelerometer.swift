// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Posix
internal import Recordings

/// Plays a recording in real time.
///
/// Recorded time drives the classifier; the wall clock decides only when a sample is delivered. Only the interval
/// between two samples counts: a paused recording continues where it stopped.
final class ReplayAccelerometer: Accelerometer {
    private(set) var info: SensorDescription
    let supportsBackpressure = true

    private let file: RecordingFile
    private let speed: Double
    private let loops: Bool
    private var reader = RecordingReader()
    private var upcoming: Sample?
    /// The recorded time of the last delivered sample, and the real time at which it was due, both in seconds.
    private var last: (recorded: Double, due: Double)?
    /// The recorded interval between the last two samples, in seconds.
    private var interval = ReplayAccelerometer.usualInterval
    private var hasSamples = false
    /// Whether the upcoming sample is the first of another loop: recorded time starts over, and the classifier
    /// restarts.
    private var isNewLoop = false

    /// A delay above this, in seconds, is a pause; a smaller one is caught up with.
    private static let pause = 0.5
    /// The interval between loops of a recording with one sample, in seconds.
    private static let usualInterval = 0.04
    /// The interval between loops at maximum speed, in seconds: leaves the thread time for commands.
    private static let shortestLoop = 0.001
    /// The number of chunks read without a sample before the thread checks for commands.
    private static let chunksPerStep = 16

    /// The largest finite speed.
    private static let fastest = 1_000.0

    /// Returns the factor of the option `speed`: infinite for `max`.
    private static func speed(of address: SourceAddress) throws(SensorFailure) -> Double {
        guard let text = address["speed"] else { return 1 }
        if text == "max" { return .infinity }
        guard let factor = Double(text), factor > 0, factor <= fastest else {
            throw .unusable(
                "replay: invalid value '\(text)' for speed: must be above 0 and at most \(Int(fastest)), or max")
        }
        return factor
    }

    /// Throws an error for an invalid address; does not open the file.
    static func check(_ address: SourceAddress) throws(SensorFailure) {
        _ = try speed(of: address)
        _ = try address.flag("loop")
        if address.name.isEmpty {
            throw .unusable("replay: missing file name: must be a file, or - for standard input")
        }
    }

    /// Opens `FILE?speed=…&loop=…`, or standard input for `-`.
    init(_ address: SourceAddress) throws(SensorFailure) {
        speed = try Self.speed(of: address)
        loops = try address.flag("loop")
        file = try RecordingFile(path: address.name)
        if loops, !file.canRewind { throw .unusable("\(file.name): cannot loop: not a regular file") }
        info = SensorDescription(id: "replay:\(address.name)", name: file.name)
        // Reads ahead: the natural orientation of a file must be known before its first sample; an error is thrown by
        // next(at:), as all others.
        if file.canRewind, case .sample(let first, _)? = try? read() { upcoming = first }
        describe()
    }

    /// Adds the natural orientation in the header, and how a CSV file is read.
    private func describe() {
        info.warnings = [reader.columnNote, reader.timeNote].compactMap(\.self)
        if let natural = reader.header.natural { (info.natural, info.naturalSource) = (natural, "recording") }
    }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        if upcoming == nil {
            switch try read() {
            case .sample(let sample, _):
                upcoming = sample
                describe()
            case let step: return step
            }
        }
        guard let sample = upcoming else { return .end(reason: "end of recording") }
        let due = due(sample) ?? now
        if due > now { return .pause(seconds: due - now) }
        if let last, sample.time > last.recorded { interval = sample.time - last.recorded }
        upcoming = nil
        isNewLoop = false
        last = (sample.time, now - due > Self.pause ? now : due)
        return .sample(sample)
    }

    /// Returns the time at which a sample is due; nil for at once.
    private func due(_ sample: Sample) -> Double? {
        guard let last else { return nil }
        guard speed.isFinite else { return isNewLoop ? last.due + Self.shortestLoop : nil }
        return last.due + (isNewLoop ? interval : sample.time - last.recorded) / speed
    }

    /// Reads the next sample, or returns what to wait for.
    private func read() throws(SensorFailure) -> AccelerometerStep {
        for _ in 0..<Self.chunksPerStep {
            do throws(RecordingError) {
                if let recorded = try reader.next() {
                    hasSamples = true
                    return .sample(recorded.sample)
                }
            } catch {
                throw .unusable("\(file.name), \(error)")
            }
            switch try file.read() {
            case .bytes(let bytes): reader.append(bytes[...])
            case .nothingYet: return .awaitInput(descriptor: file.descriptor)
            case .noWriterYet: return .pause(seconds: RecordingFile.writerPollInterval)
            case .end:
                if try isFinished() { return .end(reason: "end of recording") }
            }
        }
        return .pause(seconds: Self.shortestLoop)
    }

    /// Handles the end of the file: delivers remaining samples, or rewinds. Returns whether the recording has ended.
    private func isFinished() throws(SensorFailure) -> Bool {
        if !reader.isAtEnd {
            reader.end()
            return false
        }
        guard hasSamples else { throw .unusable("\(file.name): no samples") }
        guard loops else { return true }
        try file.rewind()
        reader = RecordingReader()
        isNewLoop = true
        return false
    }
}

/// The source `replay:FILE?speed=…&loop=…`.
package enum ReplaySource {
    package static let scheme = "replay"

    package static let row = SourceKind(
        scheme: scheme, takesAddress: true,
        check: { address throws(SensorFailure) in try ReplayAccelerometer.check(parse(address)) },
        checkExistence: { address throws(SensorFailure) in
            let name = try parse(address).name
            guard name == "-" || access(name, F_OK) == 0 else {
                throw .noDevice("replay:\(name): cannot open: \(Errno.current)")
            }
        },
        open: { address, _ throws(OpenFailure) in
            try OpenFailure.naming(nil) { () throws(SensorFailure) in try ReplayAccelerometer(parse(address)) }
        },
        scan: { address, _ throws(SensorFailure) in
            let name = try parse(address).name
            return [
                SensorDescription(
                    id: "replay:\(name)", name: name, isChosen: true, why: "requested recording")
            ]
        })

    private static func parse(_ address: String) throws(SensorFailure) -> SourceAddress {
        try SourceAddress(parsing: address, scheme: scheme, known: ["speed", "loop"])
    }
}
