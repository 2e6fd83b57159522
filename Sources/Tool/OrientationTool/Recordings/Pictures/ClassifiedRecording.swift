// SPDX-License-Identifier: Apache-2.0

import OrientationModel

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
