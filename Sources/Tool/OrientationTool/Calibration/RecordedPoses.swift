// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel
import Recordings

/// A pose and its recording, from the command line.
struct RecordedPose {
    let pose: Pose
    let path: String

    static func parse(_ text: String) throws -> RecordedPose {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        let names = "valid names: \(WordList<Pose>.all.words.joined(separator: ", "))"
        guard parts.count == 2 else { throw ValidationError("must be NAME=FILE; \(names)") }
        // No alias: on a wide panel the name of an orientation means another edge.
        guard !Edge.allCases.contains(where: { "\($0)".lowercased() == parts[0].lowercased() }) else {
            throw ValidationError(
                """
                \(names): the edge of the unrotated picture that is up; that of '\(parts[0])' depends on the panel's shape
                """)
        }
        return RecordedPose(pose: try WordList<Pose>.all.parse(parts[0]), path: parts[1])
    }
}

/// Calibrates from recordings, without a daemon.
struct RecordedPoses {
    private let paths: [(pose: Pose?, path: String)]

    /// Creates a set of recordings: one of all poses, or one per pose.
    init(_ path: String?, _ poses: [RecordedPose]) {
        paths = path.map { [(nil, $0)] } ?? poses.map { ($0.pose, $0.path) }
    }

    /// Estimates the mount matrix. `mayBeMirrored` accepts poses that contradict the usual sign of the driver; `system` is
    /// the machine to look for the sensor.
    func find(_ mayBeMirrored: Bool, _ system: SystemRoot) throws -> FoundMount {
        var measurements: [PoseMeasurement] = []
        var header = RecordingHeader()
        var sense = DeviceFrame.SensorSense.specificForce
        for (pose, path) in paths {
            let (segments, nextHeader, axes) = try read(path)
            if let device = header.device, device != nextHeader.device {
                throw Failure("\(path): different sensor: \(nextHeader.device ?? "unknown") instead of \(device)")
            }
            (header, sense) = (nextHeader, axes.sense)
            do throws(CalibrationFailure) {
                if let pose {
                    measurements.append(try segments.measurement(of: pose))
                } else {
                    measurements = try segments.measurements()
                }
            } catch {
                throw Failure("\(path): \(error)")
            }
        }
        let calibration = try MountCalibration(measurements, driverSense: sense)
        try calibration.check(mayBeMirrored: mayBeMirrored)
        let local = header.device.flatMap { LocalSensor(name: $0, in: system) }?.match.pattern
        let match = header.match ?? local
        return FoundMount(
            device: header.device ?? "unknown", calibration: calibration, match: match,
            isOfThisMachine: match != nil && match == local, isInUse: nil)
    }

    private func read(_ path: String) throws -> (StillPeriods, RecordingHeader, SensorAxes) {
        var header = RecordingHeader()
        var axes: SensorAxes?
        var segments = StillPeriods()
        var isEmpty = true
        try SampleInput(path).read { recorded in
            isEmpty = false
            guard let vector = axes?.vector(recorded) else { throw Failure("\(path): \(SensorAxes.unknown)") }
            segments.ingest(Sample(time: recorded.sample.time, acceleration: vector))
        } began: {
            header = $0
            axes = SensorAxes($0)
        }
        if isEmpty { throw Failure("\(path): no samples") }
        guard let axes else { throw Failure("\(path): \(SensorAxes.unknown)") }
        return (segments, header, axes)
    }
}
