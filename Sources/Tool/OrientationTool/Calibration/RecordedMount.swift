// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Recordings

extension FoundMount {
    /// Finds the mount of a sensor from a recording of all poses, without a daemon. `mayBeMirrored` accepts poses that
    /// contradict the usual sign of the driver; `system` is the machine to look for the sensor.
    init(recording path: String, mayBeMirrored: Bool, _ system: SystemRoot) throws {
        var header = RecordingHeader()
        var axes: SensorAxes?
        var periods = StillPeriods()
        var isEmpty = true
        try SampleInput(path).read { recorded in
            isEmpty = false
            guard let vector = axes?.vector(recorded) else { throw Failure("\(path): \(SensorAxes.unknown)") }
            periods.ingest(Sample(time: recorded.sample.time, acceleration: vector))
        } began: {
            header = $0
            axes = SensorAxes($0)
        }
        if isEmpty { throw Failure("\(path): no samples") }
        guard let axes else { throw Failure("\(path): \(SensorAxes.unknown)") }
        let measurements: [PoseMeasurement]
        do throws(CalibrationFailure) { measurements = try periods.measurements() } catch {
            throw Failure("\(path): \(error)")
        }
        let calibration = try MountCalibration(measurements, driverSense: axes.sense)
        try calibration.check(mayBeMirrored: mayBeMirrored)
        let local = header.device.flatMap { LocalSensor(name: $0, in: system) }?.match.pattern
        let match = header.match ?? local
        self.init(
            device: header.device ?? "unknown", calibration: calibration, match: match,
            isOfThisMachine: match != nil && match == local, isInUse: nil)
    }
}
