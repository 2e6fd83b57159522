// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// Identifies a sensor with its scale and mount matrix: if one of them changes, the scale is measured again.
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

/// The result of measuring the length of a sensor's vectors.
struct KnownScale {
    var correction: ScaleCorrection
    /// Whether the mount matrix is at fault, not the scale: the sensor's own vector is one g long.
    var isMatrixWrong: Bool

    /// The factor that corrects the scale which the driver states; nil if that scale is correct.
    var driverScaleGain: Double? { correction.gain == 1 || isMatrixWrong ? nil : correction.gain }

    /// The warning about a corrected chip, with the remedy; nil without a correction.
    var warning: String? {
        let summary = correction.summary(of: isMatrixWrong ? "mount matrix" : "scale")
        return summary.map { "\($0); report it with 'orientationctl doctor --report FILE'" }
    }
}

extension SensorRun {
    /// The warning about the scale; nil without a correction. A wrong unit in a recording is not reported.
    var scaleWarning: String? { source.isHardware ? scale.warning : scale.correction.summary() }
}
