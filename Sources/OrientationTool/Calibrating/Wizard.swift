// SPDX-License-Identifier: Apache-2.0

import Calibration
import OrientationModel

/// Leads a person through the poses on a terminal, and lets them see that what was found is right.
final class Wizard {
    private let sensor: SensorDescription
    private let samples: MotionSamples
    private let count: Int
    private let dialogue = Dialogue()
    /// What the daemon made of each pose when it was taken.
    private var seen: [Pose: Acceleration] = [:]

    init(_ sensor: SensorDescription, samples: MotionSamples, count: Int) {
        self.sensor = sensor
        self.samples = samples
        self.count = count
    }

    /// Takes the poses and shows what they give; `match` is what udev looks the sensor up by, nil for one that is not this
    /// machine's.
    func run(match: String?) async throws -> FoundMount {
        defer { dialogue.clear() }
        samples.waiting = { [dialogue] in dialogue.say("  waiting for samples: \($0)") }
        // Who may not have the samples is told so before being asked for anything.
        dialogue.show("waiting for the sensor")
        _ = try await samples.next()
        dialogue.say(
            "Calibrating \(sensor.name) (\(sensor.id)), mount matrix from \(sensor.matrixSource).")
        dialogue.say("Hold the device in \(count) poses, a second each. Ctrl-C ends it and changes nothing.")
        let measurements = try await takePoses()
        let calibration = try MountCalibration(measurements, driverSense: samples.sense)
        if case .opposite = calibration.sense { try await confirm(measurements) }
        dialogue.say("")
        for line in calibration.report { dialogue.say(line) }
        try await check(calibration)
        let isInUse = measurements.allSatisfy { measurement in
            seen[measurement.pose].map {
                $0.angle(to: calibration.frame(measurement.vector)) < MountCalibration.axisTolerance
            } ?? false
        }
        if isInUse { dialogue.say("The daemon has it right already: nothing needs to be changed.") }
        dialogue.say("")
        return FoundMount(
            device: sensor.name, calibration: calibration, match: match, isOfThisMachine: match != nil,
            isInUse: isInUse)
    }

    private func takePoses() async throws -> [PoseMeasurement] {
        var session = PoseSession(count: count)
        ask(for: session.asked, 1)
        while session.asked != nil {
            let reading = try await samples.next()
            switch session.ingest(reading.sensor) {
            case .holding(let progress): dialogue.show(progress: progress)
            case .unmoved(let pose): dialogue.show("  it is held as in \(pose.rawValue); turn it")
            case .taken(let pose):
                seen[pose] = reading.device
                dialogue.say("  taken")
                dialogue.ring()
                ask(for: session.asked, session.measurements.count + 1)
            case .refused(let failure): dialogue.say("  not taken: \(failure)")
            case .restarted:
                dialogue.say("  an earlier pose must have been wrong: once more, from the first")
                seen = [:]
                ask(for: session.asked, 1)
            }
        }
        return session.measurements
    }

    private func ask(for pose: Pose?, _ number: Int) {
        guard let pose else { return }
        dialogue.say("")
        dialogue.say("\(number) of \(count), \(pose.rawValue): \(pose.instruction)")
        for line in pose.drawing { dialogue.say(line) }
    }
}

// MARK: Making sure

extension Wizard {
    /// Asks for some poses again: a mirrored frame is the driver's where they are as before, else two were exchanged.
    private func confirm(_ measurements: [PoseMeasurement]) async throws {
        dialogue.say("")
        dialogue.say("The poses make a mirrored frame: two were exchanged, or the driver counts")
        dialogue.say("the other way than others do. Some of them once more will tell.")
        guard var previous = measurements.last else { return }
        for measurement in Self.again(measurements) {
            dialogue.say("Once more, \(measurement.pose.rawValue): \(measurement.pose.instruction)")
            for line in measurement.pose.drawing { dialogue.say(line) }
            let isSame = try await holds(measurement.vector, turnedFrom: previous)
            previous = measurement
            guard isSame else {
                throw Failure("\(measurement.pose.rawValue) was held the other way round before; start anew")
            }
            dialogue.say("  as before")
            dialogue.ring()
        }
    }

    /// The poses to ask for again, each a quarter turn from the one before: a device that was not turned yet reads
    /// neither the pose nor its opposite.
    private static func again(_ measurements: [PoseMeasurement]) -> [PoseMeasurement] {
        var rest = [Pose.landscapeLeft, .faceUp, .portrait].compactMap { pose in
            measurements.first { $0.pose == pose }
        }
        var again: [PoseMeasurement] = []
        while let last = again.last ?? measurements.last,
            let next = rest.firstIndex(where: { $0.pose.direction.dot(last.pose.direction) == 0 })
        {
            again.append(rest.remove(at: next))
        }
        return again
    }

    /// Whether the device is next held still as it was when it read this, or the opposite way.
    private func holds(_ vector: Acceleration, turnedFrom previous: PoseMeasurement) async throws -> Bool {
        var stillness = Stillness()
        while true {
            let reading = try await samples.next()
            if reading.sensor.acceleration.angle(to: previous.vector) < 45 {
                stillness.restart()
                dialogue.show("  it is held as in \(previous.pose.rawValue); turn it")
                continue
            }
            let hold = stillness.ingest(reading.sensor)
            dialogue.show(progress: stillness.progress)
            let angle = hold?.mean.angle(to: vector) ?? 90
            if angle < 45 { return true }
            if angle > 135 { return false }
        }
    }

    /// Lets the person turn the device and see what it is taken for now.
    private func check(_ calibration: MountCalibration) async throws {
        dialogue.say("")
        dialogue.say("To see that it is right: turn it left, the top edge of the screen to the left.")
        try await expect(.landscapeLeft, opposite: .landscapeRight, calibration)
        dialogue.say("And upright again.")
        try await expect(.portrait, opposite: .portraitUpsideDown, calibration)
    }

    private func expect(
        _ wanted: DeviceOrientation, opposite: DeviceOrientation, _ calibration: MountCalibration
    ) async throws {
        var classifier = OrientationClassifier(settings: .standard)
        var stillness = Stillness()
        var isWarned = false
        while classifier.orientation != wanted {
            let sample = try await samples.next().sensor
            let isStill = stillness.ingest(sample) != nil
            _ = classifier.ingest(Sample(time: sample.time, acceleration: calibration.frame(sample.acceleration)))
            if isStill, classifier.orientation == opposite, !isWarned {
                isWarned = true
                dialogue.say("  if that is how you hold it and it says \(opposite),")
                dialogue.say("  poses were exchanged: end with Ctrl-C, and start anew")
            }
            dialogue.show("  it is \(classifier.orientation)")
        }
        dialogue.say("  it is \(wanted): right")
        dialogue.ring()
    }
}
