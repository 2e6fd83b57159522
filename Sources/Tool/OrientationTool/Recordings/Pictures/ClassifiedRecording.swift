// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Recordings

/// A recording with the classifier's output for each sample.
struct ClassifiedRecording {
    struct Change {
        var time: Double
        var pose: PanelPose
    }

    private(set) var classifier: OrientationClassifier
    private(set) var scale = ScaleEstimate()
    /// The samples with their scale corrected.
    private(set) var samples: [Sample] = []
    private(set) var tilts: [Double] = []
    private(set) var turns: [Double] = []
    private(set) var disturbances: [Double] = []
    private(set) var changes: [Change] = []

    init(_ recording: RecordedRun, settings: ClassifierSettings) {
        classifier = OrientationClassifier(settings: settings)
        for sample in recording.samples { add(sample) }
    }

    private mutating func add(_ uncorrected: Sample) {
        let corrected = scale.correct(uncorrected, for: &classifier)
        if let corrected, let pose = classifier.classify(corrected) {
            changes.append(Change(time: corrected.time, pose: pose))
        }
        samples.append(corrected ?? uncorrected)
        tilts.append(classifier.tilt ?? 0)
        turns.append(classifier.turn ?? 0)
        disturbances.append(classifier.disturbance ?? 0)
    }

    var span: ClosedRange<Double> { samples[0].time...samples[samples.count - 1].time }
}

/// A recording in memory, up to the first damaged line.
struct RecordedRun {
    /// The largest number of samples: 11 hours at 100 Hz. Each takes 32 bytes, and 56 more for each classifier of a
    /// picture.
    static let limit = 4_000_000

    private(set) var samples: [Sample] = []
    /// The damage after the samples; nil if there is none.
    private(set) var damage: Failure?

    init(_ input: SampleInput) throws {
        do {
            try input.read {
                guard samples.count < Self.limit else {
                    throw Failure("\(input.name): too many samples: must be at most \(Self.limit)")
                }
                samples.append($0.sample)
            }
        } catch let failure as Failure where !samples.isEmpty && samples.count < Self.limit {
            damage = failure
        }
        guard !samples.isEmpty else { throw Failure("\(input.name): no samples") }
    }
}
