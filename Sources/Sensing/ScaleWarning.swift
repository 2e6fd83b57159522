// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// Names a sensor together with the scale and the mount matrix that it has: with others it is measured again.
struct SensorIdentity: Hashable {
    let id: String
    let name: String
    private let scale: [Double]?
    private let matrix: [Double]

    init(_ source: any Accelerometer) {
        id = source.info.id
        name = source.info.name
        scale = source.arithmetic.scale
        matrix = source.info.matrix
    }
}

/// What a run of a sensor found out about the length of its vectors.
struct KnownScale {
    var correction: ScaleCorrection
    /// Whether the mount matrix is at fault, not the scale: the sensor's own vector is one g long.
    var isMatrixWrong: Bool

    /// What the stated scale has to be multiplied by; nil where it is right.
    var gainOfScale: Double? { correction.gain == 1 || isMatrixWrong ? nil : correction.gain }

    /// What a user should know of a corrected chip, and do about it; nil while nothing is corrected.
    var warning: String? {
        let summary = correction.summary(of: isMatrixWrong ? "mount matrix" : "scale")
        return summary.map { "\($0); report it with 'orientationctl doctor --report FILE'" }
    }
}

extension SensorRun {
    /// What is to be said about the scale; nil while nothing is corrected. A wrong unit in a recording is nothing to report.
    var scaleWarning: String? { source.isHardware ? scale.warning : scale.correction.summary() }
}
