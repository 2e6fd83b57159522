// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// Identifies a sensor with its scale and mount matrix: if one of them changes, the scale is measured again.
struct SensorIdentity: Hashable {
    let id: String
    let key: Key

    /// The part that is the same after a restart of the machine, which may number the devices in another order.
    struct Key: Hashable {
        let name: String
        let location: String
        let scale: [Double]?
        let matrix: [Double]
    }

    init(_ source: any Accelerometer) {
        self.init(source.info, scale: source.arithmetic.scale)
    }

    init(_ sensor: SensorDescription, scale: [Double]?) {
        id = sensor.id
        key = Key(name: sensor.name, location: sensor.location, scale: scale, matrix: sensor.matrix)
    }
}

/// The result of measuring the length of a sensor's vectors.
struct KnownScale {
    var correction: ScaleCorrection
    /// Whether the mount matrix is at fault, not the scale: the sensor's own vector is one g long.
    var isMatrixWrong: Bool

    /// The gain to keep over restarts; nil while it is 1 or provisional.
    var establishedGain: Double? { correction.isEstablished && correction.gain != 1 ? correction.gain : nil }

    /// The factor that corrects the scale which the driver states; nil if that scale is correct.
    var driverScaleGain: Double? { correction.gain == 1 || isMatrixWrong ? nil : correction.gain }

    /// The warning about a corrected chip, with the remedy; nil without a correction.
    var warning: String? {
        let summary = correction.summary(of: isMatrixWrong ? "mount matrix" : "scale")
        return summary.map { "\($0); report it with 'orientationctl doctor --report FILE'" }
    }
}

extension ScaleCorrection {
    /// Creates a correction for a source, with the gain that an earlier run stored.
    init(_ source: any Accelerometer, stored: StoredGain? = nil) {
        self.init(
            step: source.arithmetic.scale?.map(abs).max(), reportsOnlyChanges: source.repeatsReadings,
            storedGain: stored?.gain)
    }
}

extension SensorRun {
    /// The warning about the scale; nil without a correction. A wrong unit in a recording is not reported.
    var scaleWarning: String? { source.isHardware ? scale.warning : scale.correction.summary() }
}
