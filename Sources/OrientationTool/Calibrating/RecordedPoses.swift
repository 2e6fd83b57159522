// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Calibration
import OrientationModel
import Recordings

/// A recording of one pose, as it is named on the command line.
struct RecordedPose {
    let pose: Pose
    let path: String

    static func parse(_ text: String) throws -> RecordedPose {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw ValidationError("must be NAME=FILE with one of \(WordList.poses.words.joined(separator: ", "))")
        }
        return RecordedPose(pose: try Pose.parse(parts[0]), path: parts[1])
    }
}

/// Calibrates from recordings, without a person and without a daemon.
struct RecordedPoses {
    private let paths: [(pose: Pose?, path: String)]

    /// All poses in one recording, or each in its own.
    init(_ path: String?, _ poses: [RecordedPose]) {
        paths = path.map { [(nil, $0)] } ?? poses.map { ($0.pose, $0.path) }
    }

    /// With `mayBeMirrored` the poses are right, whatever the driver is said to do; the sensor may be one of `system`.
    func find(_ mayBeMirrored: Bool, _ system: SystemRoot) throws -> FoundMount {
        var measurements: [PoseMeasurement] = []
        var header = RecordingHeader()
        var sense = DeviceFrame.SensorSense.specificForce
        for (pose, path) in paths {
            let (stretches, itsHeader, axes) = try read(path)
            if let device = header.device, device != itsHeader.device {
                throw Failure("\(path) is of another sensor: \(itsHeader.device ?? "unknown"), not \(device)")
            }
            (header, sense) = (itsHeader, axes.sense)
            do throws(CalibrationFailure) {
                if let pose {
                    measurements.append(try stretches.measurement(of: pose))
                } else {
                    measurements = try stretches.measurements()
                }
            } catch {
                throw Failure("\(path): \(error)")
            }
        }
        let calibration = try MountCalibration(measurements, driverSense: sense)
        if case .opposite = calibration.sense, !mayBeMirrored {
            throw Failure(
                """
                the poses make a mirrored frame: two opposite ones were exchanged, left and right perhaps; or this driver \
                counts the other way than others, and then say --mirrored
                """)
        }
        let local = header.device.flatMap { LocalSensor(name: $0, in: system) }?.match.pattern
        let match = header.match ?? local
        return FoundMount(
            device: header.device ?? "unknown", calibration: calibration, match: match,
            isOfThisMachine: match != nil && match == local, isInUse: nil)
    }

    private func read(_ path: String) throws -> (StillPeriods, RecordingHeader, SensorAxes) {
        var header = RecordingHeader()
        var axes: SensorAxes?
        var stretches = StillPeriods()
        try SampleInput(path).read { recorded in
            guard let vector = axes?.vector(recorded) else { throw Failure("\(path): \(SensorAxes.unknown)") }
            stretches.ingest(Sample(time: recorded.sample.time, acceleration: vector))
        } began: {
            header = $0
            axes = SensorAxes($0)
        }
        guard let axes else { throw Failure("\(path): \(SensorAxes.unknown)") }
        return (stretches, header, axes)
    }
}
