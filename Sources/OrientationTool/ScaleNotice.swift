// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// Corrects the scale of a recording, and says so once on standard error.
struct ScaleNotice {
    private let path: String
    private var scale = ScaleCorrection()
    private var isSaid = false

    /// - Parameter path: A file's name, or - for standard input.
    init(_ path: String) {
        self.path = path
    }

    /// Returns the sample with the gain applied; restarts the classifier's filter when the gain changed.
    mutating func correct(
        _ sample: Sample, for classifier: inout OrientationClassifier, clearing progress: Progress
    ) -> Sample {
        let corrected = scale.correct(sample, for: &classifier)
        if !isSaid, scale.gain != 1 {
            isSaid = true
            progress.clear()
            Self.say(scale, of: path)
        }
        return corrected
    }

    /// Says what was corrected; nothing where nothing was.
    static func say(_ scale: ScaleCorrection, of path: String) {
        guard let summary = scale.summary() else { return }
        ExitStatus.say("\(SampleInput(path).name): \(summary)")
    }
}
