// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Recordings

/// A recording that is played as if it happened now.
///
/// Recorded time drives the classifier; the wall clock only decides when a sample is handed out. Only the span between
/// two samples counts, so a recording that was paused goes on where it was.
final class ReplayAccelerometer: Accelerometer {
    let info: SensorDescription
    let keepsReadersPace = true

    private let file: RecordingFile
    private let speed: Speed
    private let loops: Bool
    private var reader = RecordingReader()
    private var upcoming: Sample?
    /// The recorded and the real time of the last sample that was handed out.
    private var last: (recorded: Double, real: Double)?
    private var hasSamples = false

    /// How fast recorded time passes.
    enum Speed: Equatable {
        case times(Double)
        case asFastAsItIsRead

        /// No faster than this many times; that is what `max` is for.
        static let fastest = 1_000.0

        init(parsing text: String?) throws(SensorFailure) {
            switch text {
            case nil: self = .times(1)
            case "max": self = .asFastAsItIsRead
            case let text?:
                guard let factor = Double(text), factor > 0, factor <= Self.fastest else {
                    throw .unusable(
                        "speed=\(text) means nothing; a number up to \(Int(Self.fastest)), or max, is expected")
                }
                self = .times(factor)
            }
        }
    }

    /// Opens `FILE?speed=…&loop=…`, or standard input for `-`.
    init(_ address: SourceAddress) throws(SensorFailure) {
        speed = try Speed(parsing: address["speed"])
        loops = try address.flag("loop")
        file = try RecordingFile(path: address.name)
        if loops, !file.canRewind { throw .unusable("\(file.name) cannot be played again: it is no plain file") }
        info = SensorDescription(id: "replay:\(address.name)", name: file.name)
    }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        if upcoming == nil {
            switch try read() {
            case .sample(let sample): upcoming = sample
            case let step: return step
            }
        }
        guard let sample = upcoming else { return .end(reason: "end of recording") }
        if case .times(let factor) = speed, let last {
            let due = last.real + (sample.time - last.recorded) / factor
            if due > now { return .pause(seconds: due - now) }
        }
        upcoming = nil
        last = (sample.time, now)
        return .sample(sample)
    }

    /// The next sample of the recording, or what to do until there is one.
    private func read() throws(SensorFailure) -> AccelerometerStep {
        while true {
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
            case .end:
                if try isFinished() { return .end(reason: "end of recording") }
            }
        }
    }

    /// At the end of the file: hands out what is left, or goes back to the beginning.
    private func isFinished() throws(SensorFailure) -> Bool {
        if !reader.isAtEnd {
            reader.end()
            return false
        }
        guard hasSamples else { throw .unusable("\(file.name) has no samples") }
        guard loops else { return true }
        try file.rewind()
        reader = RecordingReader()
        // The clock starts over: the classifier takes that for a fresh start, and the next sample is due at once.
        last = nil
        return false
    }
}
