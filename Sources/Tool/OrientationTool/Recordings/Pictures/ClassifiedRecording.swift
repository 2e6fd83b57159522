// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Recordings

/// A recording with the classifier's output for each sample.
struct ClassifiedRecording {
    /// The largest number of samples: 11 hours at 100 Hz. Each takes 64 bytes per classifier, up to twice that while the
    /// arrays grow, and as much again during drawing.
    static let limit = 4_000_000

    /// A change to an orientation.
    struct Change {
        var time: Double
        var orientation: DeviceOrientation
    }

    private(set) var classifier: OrientationClassifier
    /// The natural orientation in the header, which gives the changes their names; `portrait` without one.
    private(set) var natural = Edge.portrait
    /// The scale of the samples.
    private(set) var scale = ScaleEstimate()
    private(set) var times: [Double] = []
    private(set) var x: [Double] = []
    private(set) var y: [Double] = []
    private(set) var z: [Double] = []
    private(set) var magnitudes: [Double] = []
    private(set) var tilts: [Double] = []
    private(set) var turns: [Double] = []
    private(set) var disturbances: [Double] = []
    private(set) var changes: [Change] = []

    init(settings: ClassifierSettings) {
        classifier = OrientationClassifier(settings: settings)
    }

    /// Classifies the input with each of the settings.
    ///
    /// - Returns: The recordings, up to the first damaged line, and the damage.
    static func read(
        _ input: SampleInput, _ settings: [ClassifierSettings]
    ) throws -> (recordings: [ClassifiedRecording], damage: Failure?) {
        var recordings = settings.map { ClassifiedRecording(settings: $0) }
        var damage: Failure?
        do {
            try input.read { recorded in
                guard recordings[0].times.count < limit else { throw TooLong() }
                for index in recordings.indices { recordings[index].add(recorded.sample) }
            } began: { header in
                for index in recordings.indices { recordings[index].natural = header.natural ?? .portrait }
            }
        } catch is TooLong {
            throw Failure("\(input.name): too many samples: must be at most \(limit)")
        } catch let failure as Failure where !recordings[0].times.isEmpty {
            damage = failure
        }
        guard !recordings[0].times.isEmpty else { throw Failure("\(input.name): no samples") }
        let span = recordings[0].span
        guard (span.upperBound - span.lowerBound).isFinite else {
            throw Failure("\(input.name): time range too large to draw")
        }
        return (recordings, damage)
    }

    private struct TooLong: Error {}

    private mutating func add(_ uncorrected: Sample) {
        let corrected = scale.correct(uncorrected, for: &classifier)
        if let corrected, let orientation = classifier.ingest(corrected) {
            let name = orientation.renamed(from: .portrait, to: natural)
            changes.append(Change(time: corrected.time, orientation: name))
        }
        let sample = corrected ?? uncorrected
        times.append(sample.time)
        x.append(sample.acceleration.x)
        y.append(sample.acceleration.y)
        z.append(sample.acceleration.z)
        magnitudes.append(sample.acceleration.magnitude)
        tilts.append(classifier.tilt ?? 0)
        turns.append(classifier.turn ?? 0)
        disturbances.append(classifier.disturbance ?? 0)
    }

    var span: ClosedRange<Double> { times[0]...times[times.count - 1] }
}
