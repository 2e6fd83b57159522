// SPDX-License-Identifier: Apache-2.0

import OrientationClient
import OrientationModel

/// The guided calibration on a terminal: asks for the poses, and shows the result for a check.
final class Wizard {
    private let sensor: SensorDescription
    private let samples: MotionSamples
    private let count: Int
    private let dialogue = Dialogue()
    /// The vector of each accepted pose in the daemon's device frame.
    private var seen: [Pose: Acceleration] = [:]

    /// Creates a calibration of the daemon's sensor in `count` poses.
    init(_ sensor: SensorDescription, of daemon: OrientationService, count: Int) {
        self.sensor = sensor
        samples = MotionSamples(daemon, of: sensor.id) { [dialogue] in
            dialogue.print("  waiting for samples: \($0)")
        }
        self.count = count
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
        if case .opposite = calibration.sense { try await confirm(measurements) }
        dialogue.print("")
        for line in calibration.report { dialogue.print(line) }
        try await check(calibration)
        let isInUse = measurements.allSatisfy { measurement in
            seen[measurement.pose].map {
                $0.angle(to: calibration.frame(measurement.vector)) < MountCalibration.axisTolerance
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
        draw(pose)
    }

    private func draw(_ pose: Pose) {
        for line in pose.drawing(isWide: sensor.natural == .landscapeLeft) { dialogue.print(line) }
    }
}

// MARK: Verification

extension Wizard {
    /// Asks for some poses again, to explain a mirrored frame: if they match, the driver has the opposite sign; otherwise
    /// two poses were swapped.
    private func confirm(_ measurements: [PoseMeasurement]) async throws {
        dialogue.print("")
        dialogue.print(
            "The poses form a mirrored frame: two were swapped, or the driver has the opposite sign of other drivers. "
                + "Repeat some of them to find out.")
        guard var previous = measurements.last else { return }
        // Each is a quarter turn from the previous one, the first from a face: a device not yet turned matches neither the
        // pose nor its opposite. Without a face no frame is found to be mirrored.
        for pose in [Pose.right, .faceUp, .top] {
            guard let measurement = measurements.first(where: { $0.pose == pose }) else { continue }
            dialogue.print("Again, \(measurement.pose.title): \(measurement.pose.instruction)")
            draw(measurement.pose)
            let isSame = try await holds(measurement.vector, turnedFrom: previous)
            previous = measurement
            guard isSame else {
                throw Failure("\(measurement.pose.title): swapped with its opposite earlier; start again")
            }
            dialogue.print("  same as before")
            dialogue.ring()
        }
    }

    /// Waits for the next still period; returns true if it has this vector, false if the opposite one.
    private func holds(_ vector: Acceleration, turnedFrom previous: PoseMeasurement) async throws -> Bool {
        let same = PlausiblePoses.sameAngle
        var stillness = Stillness()
        // A still period in neither pose; while it lasts, the progress bar would only repeat.
        var other: Acceleration?
        while true {
            let reading = try await samples.next()
            if reading.sensor.acceleration.angle(to: previous.vector) < same {
                stillness.restart()
                dialogue.show("  still in \(previous.pose.title); turn the device")
                continue
            }
            if let other, reading.sensor.acceleration.angle(to: other) < same / 2 { continue }
            guard let hold = stillness.ingest(reading.sensor) else {
                dialogue.show(progress: stillness.progress)
                continue
            }
            let angle = hold.mean.angle(to: vector)
            if angle < same { return true }
            if angle > 180 - same { return false }
            other = hold.mean
            stillness.restart()
            dialogue.show("  neither this pose nor its opposite; turn the device as shown")
        }
    }

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
