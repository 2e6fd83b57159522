// SPDX-License-Identifier: Apache-2.0

import Glibc
import SeededRandomness
import Testing

@testable import OrientationModel

/// A chip whose readings are `factor` times the true acceleration, with its correction and a classifier.
struct ScaledChip {
    var factor = 1.0
    /// Standard deviation on each axis, in m/s² of true acceleration.
    var noise = 0.02
    var bias = Acceleration(x: 0, y: 0, z: 0)
    var hertz = 25.0
    var correction = ScaleCorrection()
    var classifier = OrientationClassifier()
    private(set) var time = 0.0
    /// The times at which the gain changed, each with the new gain.
    private(set) var gains: [(time: Double, gain: Double)] = []
    private var random = SeededGenerator(seed: 7)

    init(factor: Double = 1, noise: Double = 0.02, hertz: Double = 25) {
        self.factor = factor
        self.noise = noise
        self.hertz = hertz
    }

    /// Measures a true acceleration that depends on the time since the call, for so many seconds.
    mutating func measure(seconds: Double, _ truth: (Double) -> Acceleration) {
        for index in 0..<Int((seconds * hertz).rounded()) { read(factor * measured(truth(Double(index) / hertz))) }
    }

    mutating func hold(tilt: Double = 0, turn: Double = 0, seconds: Double) {
        measure(seconds: seconds) { _ in Hand.still(tilt: tilt, turn: turn) }
    }

    /// Reads this vector, in the chip's own unit.
    mutating func read(_ reading: Acceleration, after elapsed: Double? = nil) {
        time += elapsed ?? 1 / hertz
        let former = correction.gain
        _ = classifier.ingest(correction.correct(Sample(time: time, acceleration: reading), for: &classifier))
        if correction.gain != former { gains.append((time, correction.gain)) }
    }

    private mutating func measured(_ truth: Acceleration) -> Acceleration {
        truth + bias + noise * Acceleration(x: random.normal(), y: random.normal(), z: random.normal())
    }
}

/// The gain of sensors with a wrong or missing scale.
@Suite struct ScaleCorrectionTests {
    /// Evenly spread over the logarithm, over the gains that are applied, without those that need none.
    static let factors = (-29...44).map { pow(10, Double($0) / 10) }.filter { abs($0 - 1) > 0.45 }

    @Test(arguments: factors)
    func `a still chip of any wrong scale gives its pose within 3 s, and follows turns`(factor: Double) {
        for pose in Hand.poses {
            var chip = ScaledChip(factor: factor, noise: 0.05)
            chip.bias = Acceleration(x: 0.2, y: -0.2, z: 0.2)
            let length = factor * Acceleration.standardGravity
            chip.hold(tilt: pose.tilt, turn: pose.turn, seconds: length < StillPeriod.weak ? 2.2 : 1.2)
            #expect(chip.classifier.orientation == pose.orientation)
            #expect(abs(chip.correction.gain * factor - 1) < 0.05)
            chip.hold(tilt: 0, turn: 90, seconds: 1)
            chip.hold(tilt: 0, turn: 180, seconds: 1)
            #expect(chip.classifier.orientation == .portraitUpsideDown)
            #expect(chip.gains.count == 1)
        }
    }

    @Test(arguments: [1e-5, 0.0009, 33_000, 1e6, 1e300, .infinity, .nan])
    func `a length that needs a gain out of range sets no gain`(factor: Double) {
        var chip = ScaledChip(factor: factor)
        chip.hold(seconds: 10)
        #expect(chip.gains.isEmpty)
        #expect(!chip.correction.isConfirmed)
    }

    @Test(arguments: [5.0, 10, 50, 286, 1_000])
    func `the rate does not matter`(hertz: Double) {
        var chip = ScaledChip(factor: 0.51, hertz: hertz)
        chip.hold(turn: 90, seconds: 1.5)
        #expect(chip.classifier.orientation == .landscapeLeft)
        #expect(chip.gains.first.map { $0.time < 1.3 } == true)
    }

    @Test func `the poorest chip counts as still`() {
        // Noise 0.3 m/s², steps of 1/64 g.
        var chip = ScaledChip(factor: 2, noise: 0.25)
        chip.bias = Acceleration(x: 0.5, y: -0.3, z: 0.5)
        chip.hold(seconds: 3)
        #expect(chip.classifier.orientation == .portrait)
    }

    @Test(arguments: [0.62, 0.8, 1, 1.2, 1.38])
    func `a scale within the tolerance is left as it is`(factor: Double) {
        var chip = ScaledChip(factor: factor)
        for pose in Hand.poses { chip.hold(tilt: pose.tilt, turn: pose.turn, seconds: 3) }
        #expect(chip.gains.isEmpty)
        #expect(chip.correction.isConfirmed == (abs(factor - 1) < 0.15))
    }
}

// MARK: Motions and faults that set no gain

extension ScaleCorrectionTests {
    /// True motions in which no moment is still, by name; each lasts 8 s.
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

    @Test(arguments: motions.indices, [0.001, 0.1, 0.51, 1, 2, 9.8, 100, 1_000, 26_000])
    func `shaking and swings set no gain`(motion: Int, factor: Double) {
        var chip = ScaledChip(factor: factor)
        chip.measure(seconds: 8, Self.motions[motion].truth)
        #expect(chip.gains.isEmpty, "\(Self.motions[motion].name)")
    }

    @Test(arguments: 1...20)
    func `a fall measured by a chip with bias and little noise sets no gain`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func part() -> Double { .random(in: -0.8...0.8, using: &random) }
        var chip = ScaledChip(noise: .random(in: 0...0.05, using: &random))
        chip.bias = Acceleration(x: part(), y: part(), z: part())
        chip.measure(seconds: 1.9) { _ in Acceleration(x: 0, y: 0, z: 0) }
        #expect(chip.gains.isEmpty)
        chip.hold(turn: 90, seconds: 2)
        #expect(chip.gains.isEmpty)
        #expect(chip.classifier.orientation == .landscapeLeft)
    }

    @Test func `a chip that has read gravity while still is not corrected however long it flies or is whirled`() {
        var chip = ScaledChip()
        chip.hold(seconds: 2)
        chip.bias = Acceleration(x: 0, y: 0.3, z: 0)
        chip.measure(seconds: 20) { _ in Acceleration(x: 0, y: 0, z: 0) }
        chip.measure(seconds: 20) { _ in Acceleration(x: 0, y: 20, z: 9.8) }
        #expect(chip.gains.isEmpty)
    }

    @Test func `zeros set no gain`() {
        var chip = ScaledChip()
        for _ in 0..<1_000 { chip.read(Acceleration(x: 0, y: 0, z: 0)) }
        #expect(chip.gains.isEmpty)
    }

    @Test(arguments: [
        // 0xFFFF, 0x7FFF and 0x8000 from every register.
        (Acceleration(x: -1, y: -1, z: -1), 1.0), (Acceleration(x: 327.67, y: 327.67, z: 327.67), 0.01),
        (Acceleration(x: -32_768, y: 32_768, z: 32_768), nil),
        // A chip with steps so fine has noise; one that hangs has none.
        (Acceleration(x: 3, y: 19, z: 4), 0.01), (Acceleration(x: 0, y: 0.9, z: 0), 0.0005),
        // Rest of one count, as of a chip that sleeps.
        (Acceleration(x: 0, y: 0, z: 0.15), 0.15), (Acceleration(x: 0, y: 0, z: 2), 0.15),
    ])
    func `a frozen value sets no gain`(value: Acceleration, step: Double?) {
        var chip = ScaledChip()
        chip.correction = ScaleCorrection(step: step)
        for _ in 0..<1_000 { chip.read(value) }
        #expect(chip.gains.isEmpty)
    }

    @Test func `a coarse chip and a sensor hub repeat themselves, and are corrected`() {
        let coarse = ScaleCorrection(step: 0.16), unknown = ScaleCorrection()
        for correction in [coarse, unknown, ScaleCorrection(step: 0.001, reportsOnlyChanges: true)] {
            var chip = ScaledChip()
            chip.correction = correction
            for _ in 0..<30 { chip.read(Acceleration(x: 0.32, y: 4.96, z: 0)) }
            #expect(chip.gains.count == 1)
            #expect(chip.classifier.orientation == .portrait)
        }
    }

    @Test func `samples on both sides of a gap, or of a clock set back, are not one stillness`() {
        var chip = ScaledChip()
        for _ in 0..<30 { chip.read(Acceleration(x: 0, y: 5, z: 0), after: 2) }
        for index in 0..<30 { chip.read(Acceleration(x: 0, y: 5, z: 0), after: index % 10 == 0 ? -0.9 : 0.1) }
        for index in 0..<200 {
            chip.read(Acceleration(x: 0, y: index % 20 == 0 ? .nan : 5, z: 0))
        }
        #expect(chip.gains.isEmpty)
    }
}

// MARK: A gain is kept, established or dropped

extension ScaleCorrectionTests {
    @Test func `a gain set while the device was whirled is dropped once it rests`() {
        var chip = ScaledChip()
        chip.measure(seconds: 1.5) { _ in Acceleration(x: 0, y: 20, z: 0) }
        #expect(chip.gains.count == 1)
        chip.hold(turn: 90, seconds: 2)
        #expect(chip.correction.gain == 1)
        #expect(chip.correction.isConfirmed)
        #expect(chip.classifier.orientation == .landscapeLeft)
    }

    @Test func `a gain that fits no reading for three seconds is dropped although the device never rests`() {
        var chip = ScaledChip()
        chip.measure(seconds: 1.5) { _ in Acceleration(x: 0, y: 20, z: 0) }
        chip.measure(seconds: 3.2) { Acceleration(x: 1.5 * sin(20 * $0), y: 9.8, z: 0) }
        #expect(chip.gains.count == 2)
        #expect(chip.correction.gain == 1)
    }

    @Test func `a gain survives shaking, falls and knocks`() {
        var chip = ScaledChip(factor: 0.51)
        chip.hold(seconds: 2)
        for _ in 0..<5 {
            chip.measure(seconds: 1) { _ in Acceleration(x: 0, y: 0, z: 0) }
            chip.measure(seconds: 4) { Acceleration(x: 25 * sin(20 * $0), y: 9.8, z: 0) }
        }
        #expect(chip.gains.count == 1)
    }

    @Test func `a gain is kept over a restart of the measurement`() {
        var chip = ScaledChip(factor: 3)
        chip.hold(seconds: 2)
        chip.correction.restart()
        chip.hold(turn: 90, seconds: 1)
        #expect(chip.gains.count == 1)
        #expect(chip.classifier.orientation == .landscapeLeft)
    }

    @Test(arguments: factors)
    func `a gain is established by three seconds in one attitude, or by a second one`(factor: Double) {
        // A weak vector takes two seconds per attitude.
        let isWeak = factor * Acceleration.standardGravity < StillPeriod.weak
        for turn in [0.0, 90] {
            var chip = ScaledChip(factor: factor, noise: 0.05)
            chip.bias = Acceleration(x: 0.2, y: -0.2, z: 0.2)
            chip.hold(seconds: isWeak ? 2.2 : 1.2)
            #expect(chip.gains.count == 1)
            #expect(!chip.correction.isEstablished)
            chip.hold(turn: turn, seconds: isWeak ? 2.2 : turn == 0 ? 2.2 : 1.2)
            #expect(chip.correction.isEstablished)
            #expect(!chip.correction.isConfirmed)
        }
    }

    @Test(arguments: motions.indices, [0.001, 0.51, 1, 9.8, 1_000])
    func `motion establishes no gain`(motion: Int, factor: Double) {
        var chip = ScaledChip(factor: factor)
        chip.measure(seconds: 8, Self.motions[motion].truth)
        #expect(!chip.correction.isEstablished, "\(Self.motions[motion].name)")
    }

    @Test func `a gain that no longer fits is no longer established`() {
        var chip = ScaledChip()
        chip.measure(seconds: 1.5) { _ in Acceleration(x: 0, y: 20, z: 0) }
        #expect(!chip.correction.isEstablished)
        chip.measure(seconds: 3) { _ in Acceleration(x: 0, y: 20, z: 0) }
        #expect(chip.correction.isEstablished)
        chip.hold(turn: 90, seconds: 2)
        #expect(!chip.correction.isEstablished)
        #expect(chip.correction.gain == 1)
    }

    @Test func `a stored gain applies to the first sample, and is dropped if the scale is right by now`() {
        for factor in [0.51, 1] {
            var chip = ScaledChip(factor: factor)
            chip.correction = ScaleCorrection(storedGain: 1 / 0.51)
            chip.hold(turn: 90, seconds: 0.1)
            #expect(chip.classifier.orientation == .landscapeLeft)
            chip.hold(turn: 90, seconds: 2)
            #expect(chip.classifier.orientation == .landscapeLeft)
            #expect(chip.correction.isEstablished == (factor == 0.51))
            #expect(chip.correction.isConfirmed == (factor == 1))
        }
    }

    @Test(arguments: [
        (0.51, "scale looks wrong by a factor of 0.51; corrected"),
        (1 / 9.80665, "scale looks wrong by a factor of 0.102, as if readings were in g; corrected"),
        (1_000 / 9.80665, "scale looks wrong by a factor of 102, as if readings were in mg; corrected"),
        (1.53, "scale looks wrong by a factor of 1.53; corrected"),
        (2, "scale looks wrong by a factor of 2; corrected"),
    ])
    func `the summary names the factor, and a unit where it fits`(factor: Double, text: String) {
        var chip = ScaledChip(factor: factor, noise: 0)
        #expect(chip.correction.summary() == nil)
        chip.hold(tilt: 10, turn: 10, seconds: 3)
        #expect(chip.correction.summary() == text)
    }
}
