// SPDX-License-Identifier: Apache-2.0

import OrientationClient
import OrientationModel

/// The guided calibration on a terminal: asks for the poses, and shows the result for a check.
final class Wizard {
    private let sensor: SensorDescription
    private let samples: MotionSamples
    private let count: Int
    private let mayBeMirrored: Bool
    private let dialogue = Dialogue()
    /// The vector of each accepted pose in the daemon's device frame.
    private var seen: [Pose: Acceleration] = [:]

    /// Creates a calibration of the daemon's sensor in `count` poses; `mayBeMirrored` accepts a mirrored frame.
    init(_ sensor: SensorDescription, of daemon: OrientationService, count: Int, mayBeMirrored: Bool) {
        self.sensor = sensor
        samples = MotionSamples(daemon, of: sensor.id) { [dialogue] in
            dialogue.print("  waiting for samples: \($0)")
        }
        self.count = count
        self.mayBeMirrored = mayBeMirrored
    }

    /// Measures the poses and prints the result. `match` is the sensor's pattern for the hardware database, nil if it is
    /// not a sensor of this machine.
    func run(match: String?) async throws -> FoundMount {
        defer { dialogue.clear() }
        // The first sample shows that the user has permission, before the first pose.
        dialogue.show("waiting for the sensor")
        _ = try await samples.next()
        dialogue.print("Calibrating \(sensor.name) (\(sensor.id)), mount matrix from \(sensor.matrixSource).")
        dialogue.print("Hold the device still in \(count) poses, a second each. Ctrl-C quits without a change.")
        dialogue.print("The edges are those of the unrotated picture.")
        let measurements = try await measurePoses()
        let calibration = try MountCalibration(measurements, driverSense: samples.sense)
        try calibration.check(mayBeMirrored: mayBeMirrored)
        dialogue.print("")
        for line in calibration.report { dialogue.print(line) }
        try await check(calibration)
        let isInUse = measurements.allSatisfy { measurement in
            seen[measurement.pose].map {
                $0.angle(to: calibration.frame(measurement.vector)) < MountCalibration.mountTolerance
            } ?? false
        }
        if isInUse { dialogue.print("The daemon already uses this mounting: no change is needed.") }
        dialogue.print("")
        return FoundMount(
            device: sensor.name, calibration: calibration, match: match, isOfThisMachine: match != nil,
            isInUse: isInUse)
    }

    private func measurePoses() async throws -> [PoseMeasurement] {
        var session = PoseSession(count: count)
        ask(for: session.asked, 1)
        while session.asked != nil {
            let reading = try await samples.next()
            switch session.ingest(reading.sensor) {
            case .holding(let progress): dialogue.show(progress: progress)
            case .unmoved(let pose): dialogue.show("  still in \(pose.title); turn the device")
            case .taken(let pose):
                seen[pose] = reading.device
                dialogue.print("  accepted")
                dialogue.ring()
                ask(for: session.asked, session.measurements.count + 1)
            case .refused(let failure): dialogue.print("  not accepted: \(failure)")
            case .restarted:
                dialogue.print("  an earlier pose was probably wrong: starting again with the first")
                seen = [:]
                ask(for: session.asked, 1)
            }
        }
        return session.measurements
    }

    private func ask(for pose: Pose?, _ number: Int) {
        guard let pose else { return }
        dialogue.print("")
        dialogue.print("\(number) of \(count), \(pose.title): \(pose.instruction)")
        for line in pose.drawing(isWide: sensor.natural == .landscapeLeft) { dialogue.print(line) }
    }
}

// MARK: Verification

extension Wizard {
    /// Shows the orientation with the new calibration while the user turns the device.
    private func check(_ calibration: MountCalibration) async throws {
        dialogue.print("")
        dialogue.print("To check the result, turn the device left: the top edge of the unrotated picture to the left.")
        try await expect(.right, opposite: .left, calibration)
        dialogue.print("Now turn it upright again.")
        try await expect(.top, opposite: .bottom, calibration)
    }

    private func expect(_ wanted: Pose, opposite: Pose, _ calibration: MountCalibration) async throws {
        var classifier = OrientationClassifier(settings: .standard)
        var stillness = Stillness()
        var isWarned = false
        while classifier.pose != wanted.panelPose {
            let sample = try await samples.next().sensor
            let isStill = stillness.ingest(sample) != nil
            _ = classifier.ingest(Sample(time: sample.time, acceleration: calibration.frame(sample.acceleration)))
            if isStill, classifier.pose == opposite.panelPose, !isWarned {
                isWarned = true
                dialogue.print(
                    "  If you hold it as shown and the result is \(opposite.title), poses were swapped: press Ctrl-C, and "
                        + "start again")
            }
            let pose = Pose.allCases.first { $0.panelPose == classifier.pose }
            dialogue.show("  orientation: \(pose?.title ?? "unknown")")
        }
        dialogue.print("  orientation: \(wanted.title), correct")
        dialogue.ring()
    }
}
