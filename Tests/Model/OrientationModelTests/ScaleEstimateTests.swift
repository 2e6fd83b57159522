// SPDX-License-Identifier: Apache-2.0

import Glibc
import SeededRandomness
import Testing

@testable import OrientationModel

/// A chip whose readings are `factor` times the true acceleration, with its scale estimate and a classifier.
private struct Chip {
    var factor = 1.0
    /// Standard deviation on each axis, in m/s² of true acceleration.
    var noise = 0.0
    var bias = Acceleration.zero
    var scale = ScaleEstimate()
    private(set) var time = 0.0
    private(set) var classifier = OrientationClassifier()
    private(set) var answers: [Answer] = []
    private var random = SeededGenerator(seed: 7)

    struct Answer: Equatable {
        let time: Double
        let orientation: DeviceOrientation
    }

    init(factor: Double = 1, noise: Double = 0, _ origin: ScaleEstimate.Origin = .stated) {
        self.factor = factor
        self.noise = noise
        scale = ScaleEstimate(origin)
    }

    /// Measures a true acceleration that depends on the time since the call, at 25 Hz.
    mutating func measure(seconds: Double, _ truth: (Double) -> Acceleration) {
        for index in 0..<Int((seconds * 25).rounded()) {
            let disturbance = noise * Acceleration(x: random.normal(), y: random.normal(), z: random.normal())
            read(factor * (truth(Double(index) / 25) + bias + disturbance))
        }
    }

    mutating func hold(tilt: Double = 0, turn: Double = 0, seconds: Double) {
        measure(seconds: seconds) { _ in Hand.still(tilt: tilt, turn: turn) }
    }

    /// Reads this vector, in the chip's own unit.
    mutating func read(_ reading: Acceleration, after elapsed: Double = 0.04) {
        let sample = Sample(time: time, acceleration: reading)
        time += elapsed
        guard let corrected = scale.correct(sample, for: &classifier) else { return }
        guard let orientation = classifier.ingest(corrected) else { return }
        answers.append(Answer(time: sample.time, orientation: orientation))
    }
}

/// The scale of sensors and recordings.
@Suite struct ScaleEstimateTests {
    /// The factors that a stated scale can be wrong by.
    static let known =
        [1, 2, 4, 8, 16, 0.5, 0.25, 0.125, 0.0625, 9.80665, 1 / 9.80665, 1_000, 0.001, 1_000 / 9.80665, 256 / 9.80665]
    /// Other factors, which a stated scale cannot be wrong by.
    static let unknown = [118.0, 0.0085, 3, 0.34, 6, 0.17, 55, 500, 20_000, 0.0002]
    /// Factors between the tolerance of the classifier and the first known one.
    static let near = [1.45, 1.5, 1.75]

    /// Returns the answers to six poses of two seconds and turns between four edges.
    private func answers(factor: Double, noise: Double = 0, _ origin: ScaleEstimate.Origin = .stated) -> [Chip.Answer] {
        var chip = Chip(factor: factor, noise: noise, origin)
        for pose in Hand.poses { chip.hold(tilt: pose.tilt, turn: pose.turn, seconds: 2) }
        for edge in 0..<4 {
            chip.measure(seconds: 0.4) { Hand.still(tilt: 10, turn: 90 * (Double(edge) + $0 / 0.4)) }
            chip.hold(tilt: 10, turn: 90 * Double(edge + 1), seconds: 0.5)
        }
        return chip.answers
    }

    @Test(arguments: known + near)
    func `a wrong scale changes no answer and delays none but the first, which a motion could be`(factor: Double) {
        let right = answers(factor: 1)
        #expect(right.first == Chip.Answer(time: 0, orientation: .portrait))
        #expect(right.count == 11)
        let wrong = answers(factor: factor)
        let isMotion = factor != 1 && (0.2...5).contains(factor)
        #expect(wrong.first == Chip.Answer(time: isMotion ? 0.32 : 0, orientation: .portrait))
        #expect(wrong.dropFirst() == right.dropFirst())
        // The error of a real chip.
        #expect(answers(factor: 1.08 * factor).map(\.orientation) == right.map(\.orientation))
    }

    @Test(arguments: known + unknown)
    func `without a stated scale any plausible number of counts gives the same answers`(factor: Double) {
        let right = answers(factor: 1, noise: 0.05)
        let count = factor * Acceleration.standardGravity / 1_000
        #expect(answers(factor: factor, noise: 0.05, .unknown(count: count)) == right)
    }

    @Test(arguments: [3.0, 2e6, .infinity, .nan])
    func `too few or too many counts are no reading`(length: Double) {
        var chip = Chip(.unknown(count: 1))
        for _ in 0..<100 { chip.read(Acceleration(x: 0, y: length, z: 0)) }
        #expect(chip.answers.isEmpty)
    }

    @Test func `a resting vector that becomes longer is answered by its direction`() {
        var chip = Chip(factor: 256 / Acceleration.standardGravity)
        chip.hold(seconds: 2)
        chip.measure(seconds: 2) { _ in Acceleration(x: 27.7, y: 0, z: 9.8) }
        #expect(chip.answers.map(\.orientation) == [.portrait, .landscapeLeft])
    }

    @Test(arguments: [0.62, 0.8, 1.2, 1.38])
    func `a length within the tolerance of the classifier is left as it is`(factor: Double) {
        var chip = Chip(factor: factor, .unknown(count: 0.04))
        for pose in Hand.poses { chip.hold(tilt: pose.tilt, turn: pose.turn, seconds: 3) }
        #expect(chip.scale.factor == 1)
    }
}

// MARK: One direction

extension ScaleEstimateTests {
    @Test(arguments: [0.5, 1.5, 2, 9.80665])
    func `a stated scale is corrected once gravity has had two directions, and until then the direction counts`(
        factor: Double
    ) {
        var chip = Chip(factor: factor, noise: 0.02)
        chip.hold(seconds: 20)
        // Directions of one cone.
        chip.hold(turn: 50, seconds: 2)
        #expect(chip.scale.isMeasured && chip.scale.gain == 1)
        #expect(chip.scale.summary?.hasSuffix("only directions are used until the device is turned") == true)
        #expect(chip.answers.map(\.orientation) == [.portrait])
        chip.hold(turn: 90, seconds: 2)
        #expect(abs(chip.scale.gain * factor - 1) < 0.01)
        #expect(chip.scale.summary?.hasSuffix("; corrected") == true)
        #expect(chip.answers.map(\.orientation) == [.portrait, .landscapeLeft])
    }

    /// An axis that reads its largest value, whatever the device does, and the others are right.
    @Test(arguments: [1.5, 2, 4, 8, 16], [ScaleEstimate.Origin.stated, .unknown(count: 0.01)])
    func `an axis that is stuck at the end of its range is no scale error`(range: Double, origin: ScaleEstimate.Origin)
    {
        var chip = Chip(noise: 0.02, origin)
        let stuck = range * Acceleration.standardGravity
        for turn in stride(from: 0.0, through: 720, by: 30) {
            for tilt in [0.0, 40, -40, 80] {
                chip.measure(seconds: 1.5) { _ in
                    Acceleration(
                        x: stuck, y: Hand.still(tilt: tilt, turn: turn).y, z: Hand.still(tilt: tilt, turn: turn).z)
                }
            }
        }
        if origin == .stated { #expect(chip.scale.gain == 1) }
        #expect(chip.scale.summary?.contains("corrected") != true)
        #expect(Set(chip.answers.map(\.orientation)).isSubset(of: [.landscapeLeft]))
    }
}

// MARK: Readings without gravity

extension ScaleEstimateTests {
    @Test(arguments: unknown)
    func `a stated scale that is wrong by another factor gives no gain and no answer`(factor: Double) {
        var chip = Chip(factor: factor, noise: 0.02)
        for pose in Hand.poses { chip.hold(tilt: pose.tilt, turn: pose.turn, seconds: 3) }
        #expect(chip.scale.factor == 1)
        #expect(chip.answers.isEmpty)
        #expect(!chip.scale.hasReadGravity)
        #expect(abs(chip.scale.timeWithoutGravity - 18) < 0.1)
    }

    @Test func `the bias of a chip with a high-pass filter is not gravity`() {
        var chip = Chip(noise: 0.01)
        chip.bias = Acceleration(x: 0.03, y: 0.07, z: -0.03)
        chip.measure(seconds: 10) { _ in .zero }
        #expect(chip.answers.isEmpty)
        #expect(chip.scale.timeWithoutGravity > 9.9)
    }

    @Test(arguments: [
        // 0xFFFF, 0x7FFF and 0x8000 from every register; the first is half a g, the last of a chip without a scale.
        (Acceleration(x: -2.83, y: -2.83, z: -2.83), ScaleEstimate.Origin.stated),
        (Acceleration(x: 327.67, y: 327.67, z: 327.67), .stated),
        (Acceleration(x: -32_768, y: 32_768, z: 32_768), .unknown(count: 1)),
    ])
    func `the same value on all axes sets no gain`(value: Acceleration, origin: ScaleEstimate.Origin) {
        var chip = Chip(origin)
        for _ in 0..<200 { chip.read(value) }
        #expect(chip.scale.factor == 1)
        #expect(chip.answers.isEmpty)
    }

    @Test func `zeros and numbers that are not finite are skipped, and the next reading is the first`() {
        for value in [0.0, .nan, .infinity, -.infinity] {
            var chip = Chip(factor: 8)
            for _ in 0..<10 { chip.read(Acceleration(x: 0, y: value, z: 0)) }
            #expect(chip.answers.isEmpty)
            let time = chip.time
            chip.hold(turn: 90, seconds: 0.04)
            #expect(chip.answers == [Chip.Answer(time: time, orientation: .landscapeLeft)])
        }
    }

    @Test func `one reading of gravity ends the time without gravity, and so does a pause`() {
        var chip = Chip()
        chip.hold(seconds: 1.2)
        for _ in 0..<5 {
            chip.measure(seconds: 3) { _ in Acceleration(x: 0, y: 30, z: 0) }
            #expect(abs(chip.scale.timeWithoutGravity - 2.96) < 0.01)
            chip.hold(seconds: 0.04)
            #expect(chip.scale.timeWithoutGravity == 0)
        }
        chip.read(Acceleration(x: 0, y: 30, z: 0), after: 3_600)
        chip.read(Acceleration(x: 0, y: 30, z: 0))
        #expect(chip.scale.timeWithoutGravity == 0)
    }
}

// MARK: Motion

extension ScaleEstimateTests {
    /// True motions in which no second is still, by name; each lasts 8 s.
    static let motions: [(name: String, truth: @Sendable (Double) -> Acceleration)] = {
        let gravity = Acceleration.standardGravity
        var all: [(String, @Sendable (Double) -> Acceleration)] = []
        for (hertz, reach) in [(2.0, 6.0), (3, 15), (5, 30), (7.3, 12)] {
            all.append(
                ("shaken at \(hertz) Hz", { Acceleration(x: reach * sin(2 * .pi * hertz * $0), y: gravity, z: 1) }))
        }
        for (period, degrees) in [(1.2, 50.0), (2, 70), (3.5, 60), (4, 85)] {
            let reach = degrees * .pi / 180
            all.append(
                (
                    "swung for \(period) s through \(degrees)°",
                    { time in
                        let angle = reach * cos(2 * .pi * time / period)
                        return Acceleration(x: 0, y: gravity * (3 * cos(angle) - 2 * cos(reach)), z: 0)
                    }
                ))
        }
        all.append(
            ("thrown again and again", { Acceleration(x: 0, y: $0.remainder(dividingBy: 1) < 0 ? 0 : 25, z: 0) }))
        return all
    }()

    @Test(arguments: motions.indices, [0.5, 1, 2, 9.80665])
    func `shaking and swings measure no scale, and the rest after them does`(motion: Int, factor: Double) {
        var chip = Chip(factor: factor, noise: 0.02)
        chip.measure(seconds: 8, Self.motions[motion].truth)
        #expect(!chip.scale.isMeasured, "\(Self.motions[motion].name)")
        chip.hold(turn: 90, seconds: 1.2)
        #expect(chip.scale.factor == 1 / factor, "\(Self.motions[motion].name)")
        #expect(chip.classifier.orientation == .landscapeLeft)
    }

    @Test func `a gain that was measured while the device was whirled is replaced by the next rest`() {
        var chip = Chip(noise: 0.02)
        chip.measure(seconds: 1.5) { _ in Acceleration(x: 0, y: 19.6, z: 0) }
        #expect(chip.scale.factor == 0.5)
        chip.hold(turn: 90, seconds: 1.2)
        #expect(chip.scale.factor == 1)
        #expect(chip.classifier.orientation == .landscapeLeft)
    }

    @Test func `a measured gain survives shaking and falls`() {
        var chip = Chip(factor: 2, noise: 0.02)
        for turn in [0.0, 90] { chip.hold(turn: turn, seconds: 1.2) }
        for _ in 0..<5 {
            chip.measure(seconds: 1) { _ in .zero }
            chip.measure(seconds: 4) { Acceleration(x: 25 * sin(20 * $0), y: 9.8, z: 0) }
        }
        #expect(chip.scale.gain == 0.5)
    }

    @Test func `readings on both sides of a gap, or of a clock set back, are not one rest`() {
        var chip = Chip(factor: 2)
        for index in 0..<60 { chip.read(Acceleration(x: 0, y: 19.6, z: 0), after: index % 10 == 0 ? 2 : 0.04) }
        for index in 0..<60 { chip.read(Acceleration(x: 0, y: 19.6, z: 0), after: index % 10 == 0 ? -0.9 : 0.1) }
        #expect(!chip.scale.isMeasured)
        #expect(chip.scale.factor == 0.5)
    }
}

// MARK: Messages

extension ScaleEstimateTests {
    @Test(arguments: [
        (0.51, "scale looks wrong by a factor of 0.5; corrected"), (4, "scale looks wrong by a factor of 4; corrected"),
        (0.1, "scale looks wrong by a factor of 0.102, as if readings were in g; corrected"),
        (103, "scale looks wrong by a factor of 102, as if readings were in mg; corrected"),
    ])
    func `the summary names the factor, and a unit where it fits`(factor: Double, text: String) {
        var chip = Chip(factor: factor)
        #expect(chip.scale.summary == nil)
        for turn in [0.0, 90] { chip.hold(turn: turn, seconds: 1.2) }
        #expect(chip.scale.summary == text)
    }

    @Test(arguments: [(0.0832, "0.1"), (3.04, "3"), (30.2, "30"), (1e30, "1e+30")])
    func `the length of readings without gravity is rounded`(length: Double, text: String) {
        var chip = Chip()
        chip.read(Acceleration(x: 0, y: length * 0.8, z: length * 0.6))
        #expect(chip.scale.readingsWithoutGravity == "readings of \(text) m/s² instead of 9.8")
    }
}
