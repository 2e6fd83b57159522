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
    /// The recorded time of the last sample that was handed out, and the real time at which it was due.
    private var last: (recorded: Double, due: Double)?
    /// Recorded seconds between the last two samples.
    private var interval = ReplayAccelerometer.usualInterval
    private var hasSamples = false
    /// The upcoming sample is the first of another lap: the clock starts over, which the classifier takes for a fresh
    /// start.
    private var isLap = false

    /// One that is later than this, in seconds, was paused; a smaller delay is caught up with.
    private static let pause = 0.5
    /// Recorded seconds between the laps of a recording that has only one sample.
    private static let usualInterval = 0.04
    /// Seconds between the laps of one that is played as fast as it is read, so that it leaves room for others.
    private static let shortestLap = 0.001
    /// How many chunks without a sample are read before the thread looks for something else to do.
    private static let chunksPerStep = 16

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

    /// Says what is wrong with an address, whether or not the file is there.
    static func check(_ address: SourceAddress) throws(SensorFailure) {
        _ = try Speed(parsing: address["speed"])
        _ = try address.flag("loop")
        if address.name.isEmpty { throw .unusable("replay: needs a file, or - for standard input") }
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
        let due = due(sample) ?? now
        if due > now { return .pause(seconds: due - now) }
        if let last, sample.time > last.recorded { interval = sample.time - last.recorded }
        upcoming = nil
        isLap = false
        last = (sample.time, now - due > Self.pause ? now : due)
        return .sample(sample)
    }

    /// When a sample is to be handed out; nil for at once.
    private func due(_ sample: Sample) -> Double? {
        guard let last else { return nil }
        switch speed {
        case .asFastAsItIsRead: return isLap ? last.due + Self.shortestLap : nil
        case .times(let factor): return last.due + (isLap ? interval : sample.time - last.recorded) / factor
        }
    }

    /// The next sample of the recording, or what to do until there is one.
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
            case .noWriterYet: return .pause(seconds: RecordingFile.patienceForWriter)
            case .end:
                if try isFinished() { return .end(reason: "end of recording") }
            }
        }
        return .pause(seconds: Self.shortestLap)
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
        isLap = true
        return false
    }
}
