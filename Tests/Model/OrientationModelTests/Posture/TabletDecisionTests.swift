// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import SeededRandomness
import Testing

/// A laptop as two rigid bodies with a hinge: rotation matrices alone, no angle between readings.
private struct Laptop {
    /// The lid angle, and the attitude of the base, in degrees: about the vertical, the hinge, and the base's length.
    var lid = 100.0
    var yaw = 0.0
    var pitch = 0.0
    var roll = 0.0
    /// The acceleration of both bodies in m/s², in the frame of the world.
    var push = Acceleration.zero

    /// The x, y and z axis of the base, in the frame of the world, whose z axis points up.
    private var baseAxes: [Acceleration] {
        let turns: [(Acceleration, Double)] = [
            (.init(x: 0, y: 1, z: 0), roll), (.init(x: 1, y: 0, z: 0), pitch), (.init(x: 0, y: 0, z: 1), yaw),
        ]
        return [.init(x: 1, y: 0, z: 0), .init(x: 0, y: 1, z: 0), .init(x: 0, y: 0, z: 1)].map { axis in
            turns.reduce(axis) { $0.rotated(about: $1.0, by: $1.1) }
        }
    }

    var base: Acceleration { reading(baseAxes) }

    var display: Acceleration {
        let axes = baseAxes
        return reading(axes.map { $0.rotated(about: axes[0], by: 180 - lid) })
    }

    /// The part of the hinge's direction that is vertical.
    var steepness: Double { abs(baseAxes[0].z) }

    /// The degrees between the normal of the keyboard and the vertical.
    var keyboardTilt: Double { acos(min(max(baseAxes[2].z, -1), 1)) * 180 / .pi }

    /// Whether it is a laptop by the base, of which the lid angle says the opposite: surely, and perhaps.
    var isOnLap: Bool { (185...295).contains(lid) && keyboardTilt < 25 }
    var mayBeOnLap: Bool { (175...315).contains(lid) && keyboardTilt < 45 }

    /// Whether the hinge is farther than 30° from the vertical: the sensors then know the angle.
    var isDefined: Bool { steepness < 0.86 }

    /// Whether the hinge is nearer than 18° to the vertical.
    var isVertical: Bool { steepness > 0.95 }

    private func reading(_ axes: [Acceleration]) -> Acceleration {
        let force = push + Acceleration(x: 0, y: 0, z: Acceleration.standardGravity)
        return Acceleration(x: axes[0].dot(force), y: axes[1].dot(force), z: axes[2].dot(force))
    }
}

extension Acceleration {
    /// Rodrigues' formula.
    fileprivate func rotated(about axis: Acceleration, by degrees: Double) -> Acceleration {
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        return cosine * self + sine * axis.cross(self) + ((1 - cosine) * axis.dot(self)) * axis
    }
}

@Suite struct TabletDecisionTests {
    /// How a source reports the laptop.
    enum Source: CaseIterable { case pair, hinge, single }

    @Test(arguments: Source.allCases)
    func `A laptop that folds and turns is never in the wrong mode for long`(source: Source) {
        for seed in (1...40 as ClosedRange<UInt64>).sampled {
            var trial = Trial(source: source, seed: seed)
            trial.run(moves: 60)
            #expect(trial.faults.isEmpty, "\(source), seed \(seed): \(trial.faults)")
        }
    }

    @Test(arguments: [Source.pair, .hinge].sampled)
    func `An hour of typing, carrying and folding has no wrong switch`(source: Source) {
        var trial = Trial(source: source, seed: 1)
        trial.liveOneHour()
        #expect(trial.wrongSwitches == 0)
        #expect(trial.switches == trial.folds && trial.folds > 20)
    }

    /// Hours with a switch that says tablet while the laptop is on its side, or that does not change for a while.
    @Test(arguments: (1...16 as ClosedRange<UInt64>).sampled)
    func `A wrong switch is overruled within 3 s, and a right one is not`(seed: UInt64) {
        var trial = Trial(source: seed.isMultiple(of: 2) ? .hinge : .pair, seed: seed)
        trial.firmware = Trial.Firmware()
        trial.liveOneHour()
        #expect(trial.faults.isEmpty, "\(trial.faults)")
        let firmware = trial.firmware ?? .init()
        // One before the angle is certain at the start.
        #expect(firmware.wrongModes <= 1 && firmware.wrongSwitches > 10, "\(firmware)")
    }
}

// MARK: Edges

extension TabletDecisionTests {
    /// Feeds readings at 10 Hz, and returns the mode after each.
    private func modes(
        _ readings: [LidReading], from start: Double = 0, _ decision: inout TabletDecision
    ) -> [Bool] {
        readings.enumerated().map { index, reading in
            decision.handle(reading, at: start + 0.1 * Double(index))
            return decision.isTablet
        }
    }

    /// A decision about a laptop that was opened to this angle.
    private func opened(to angle: Double) -> TabletDecision {
        var decision = TabletDecision()
        _ = modes(Array(repeating: .angle(angle), count: 5), from: -10, &decision)
        return decision
    }

    @Test func `Four readings make a tablet, two a laptop`() {
        var decision = opened(to: 150)
        #expect(modes(Array(repeating: .angle(210), count: 5), &decision) == [false, false, false, true, true])
        #expect(modes(Array(repeating: .angle(181), count: 5), from: 1, &decision) == [true, true, true, true, true])
        #expect(modes(Array(repeating: .angle(179), count: 3), from: 2, &decision) == [true, false, false])
    }

    @Test func `The mode is ambiguous from 180°, where a laptop begins, until four readings make a tablet`() {
        var decision = TabletDecision()
        #expect(!decision.isAmbiguous)
        for (time, angle) in [178, 179.9, 180, 209, 220, 220, 220].enumerated() {
            decision.handle(.angle(angle), at: Double(time))
            #expect(decision.isAmbiguous == (angle >= 180), "\(angle)")
        }
        decision.handle(.angle(220), at: 7)
        #expect(decision.isTablet && !decision.isAmbiguous)
        _ = modes([.angle(200), .angle(190)], from: 8, &decision)
        #expect(decision.isTablet && !decision.isAmbiguous)
    }

    @Test func `A reading between that contradicts starts again`() {
        var decision = opened(to: 150)
        #expect(
            !modes(
                [.angle(220), .angle(220), .angle(220), .angle(205), .angle(220), .angle(220), .angle(220)], &decision
            ).contains(true))
    }

    @Test func `A shut lid means laptop, whatever the sensor says`() {
        var decision = opened(to: 300)
        #expect(decision.isTablet)
        decision.lidChanged(isShut: true, at: 0)
        #expect(!decision.isTablet)
        #expect(decision.angle == 0)
        #expect(!modes(Array(repeating: .angle(300), count: 10), from: 1, &decision).contains(true))
    }

    @Test(arguments: [(isShut: Bool?.none, angle: Double?.none), (false, 360)])
    func `At the start, an angle of 0 is known by the lid switch, not without gravity`(isShut: Bool?, angle: Double?) {
        var decision = TabletDecision()
        decision.lidChanged(isShut: isShut, at: 0)
        _ = modes(Array(repeating: .angle(1), count: 5), &decision)
        #expect(decision.angle == angle)
        #expect(decision.isTablet == (angle != nil))
    }

    @Test(arguments: [
        (0, Acceleration(x: 0, y: 0, z: -9.8), 0.0), (358, .init(x: 2, y: 3, z: -9), 0),
        (1, .init(x: 0, y: 0, z: 9.8), 360),
        (356, .init(x: 0, y: 9.8, z: 0), 356), (350, .init(x: 3, y: -9, z: -3), 350),
    ])
    func `At the start without a lid switch, a display that faces down is shut, any other folded back`(
        reading: Double, display: Acceleration, angle: Double
    ) {
        var decision = TabletDecision()
        let readings = Array(repeating: LidReading.angle(reading, display: display), count: 25)
        let before = modes(Array(readings[..<20]), &decision)
        #expect(!before.contains(true) && decision.angle == nil && !decision.hasFailed)
        #expect(modes(Array(readings[20...]), from: 2, &decision).last == (angle > 300) && decision.angle == angle)
        // A shut one that counts as folded back is a laptop once it is opened.
        #expect(modes((0..<15).map { .angle(Double(20 + 8 * $0), display: display) }, from: 3, &decision).last == false)
    }

    /// A reading of a laptop; `pitch` is how far the far edge of the base is up: 180 with the keyboard down.
    private func reading(_ lid: Double, pitch: Double, roll: Double = 0) -> LidReading {
        .angle(lid, display: Laptop(lid: lid, yaw: 40, pitch: pitch, roll: roll).display)
    }

    @Test(arguments: [
        // On a leg, its far edge higher, on its side; at the least and the largest angle.
        (220.0, 0.0, 0.0, false), (220, 25, 0, false), (250, 0, -25, false), (212, 10, 0, false), (299, -20, 10, false),
        // Held otherwise; a stand with the keyboard down, a tent, and folded back.
        (220, 45, 0, true), (220, 20, 30, true), (270, 180, 0, true), (300, 120, 0, true), (270, -60, 0, true),
        (330, 0, 0, true), (360, 180, 0, true), (360, 0, 0, true),
    ])
    func `Beyond 180° a base that lies with the keyboard up means laptop`(
        lid: Double, pitch: Double, roll: Double, isTablet: Bool
    ) {
        var decision = opened(to: 250)
        let readings = Array(repeating: reading(lid, pitch: pitch, roll: roll), count: 25)
        #expect(modes(readings, &decision).last == isTablet)
        #expect(decision.certainMode == isTablet && !decision.isAmbiguous)
    }

    @Test func `A tablet whose base comes to lie is a laptop after four readings, and a tablet 10° farther`() {
        var decision = opened(to: 250)
        #expect(
            modes(Array(repeating: reading(250, pitch: 28), count: 5), &decision) == [true, true, true, false, false])
        #expect(!modes(Array(repeating: reading(250, pitch: 38), count: 9), from: 1, &decision).contains(true))
        #expect(!modes(Array(repeating: reading(308, pitch: 0), count: 9), from: 2, &decision).contains(true))
        #expect(modes(Array(repeating: reading(308, pitch: 42), count: 5), from: 3, &decision).last == true)
    }

    @Test func `An angle below 160° or above 200° proves the mode after 2 s, until it is between or unreliable`() {
        var decision = TabletDecision()
        var time = 0.0
        func certain(_ reading: LidReading, for seconds: Double) -> Bool? {
            let end = time + seconds
            while time < end {
                decision.handle(reading, at: time)
                time += 0.125
            }
            return decision.certainMode
        }
        #expect(certain(.angle(159), for: 2) == nil && decision.isBecomingCertain)
        #expect(certain(.angle(80), for: 0.25) == false && !decision.isBecomingCertain)
        #expect(certain(.angle(164), for: 3) == false && certain(.angle(166), for: 0.125) == nil)
        #expect(certain(.angle(161), for: 3) == nil && certain(.angle(199), for: 3) == nil)
        #expect(certain(.angle(201), for: 2) == nil && certain(.angle(201), for: 0.125) == true)
        // A vertical hinge changes nothing.
        #expect(certain(.undefined, for: 600) == true && certain(.unreliable, for: 29) == true)
        #expect(certain(.unreliable, for: 2) == nil)
        #expect(certain(.angle(250), for: 2.25) == true)
        decision.lidChanged(isShut: true, at: time)
        #expect(decision.certainMode == nil)
    }

    @Test func `An angle that wraps stays folded back, and one that came from shut stays shut`() {
        var folded = opened(to: 340)
        #expect(modes([.angle(358), .angle(2), .angle(0), .angle(359)], &folded) == [true, true, true, true])
        var shut = opened(to: 20)
        #expect(
            !modes([.angle(8), .angle(359), .angle(357), .angle(355), .angle(356), .angle(3)], &shut).contains(true))
        #expect(shut.angle == 3)
    }

    @Test func `An unreliable sensor changes nothing for 30 s, then means laptop`() {
        var decision = opened(to: 300)
        decision.handle(.unreliable, at: 0)
        decision.handle(.unreliable, at: 29.9)
        #expect(decision.isTablet)
        decision.handle(.unreliable, at: 30)
        #expect(!decision.isTablet)
        #expect(decision.angle == nil)
    }

    @Test func `A vertical hinge changes nothing for an hour`() {
        var decision = opened(to: 300)
        _ = modes(Array(repeating: .undefined, count: 36_000), &decision)
        #expect(decision.isTablet)
    }

    @Test func `Single faults between vertical readings are no long fault`() {
        var decision = opened(to: 300)
        for minute in 0..<60 {
            decision.handle(.unreliable, at: 60 * Double(minute))
            #expect(decision.isFaulty)
            decision.handle(.undefined, at: 60 * Double(minute) + 0.1)
        }
        #expect(decision.isTablet && !decision.hasFailed && !decision.isFaulty)
    }

    @Test func `A hinge that always says 360 is corrected by the accelerometer`() {
        let upright = Acceleration(x: 0, y: 9.8, z: 0)
        #expect(LidReading(hinge: 360, screen: 90, keyboard: 0, display: upright) == .angle(90, display: upright))
        #expect(LidReading(hinge: 90, screen: 0, keyboard: 0, display: upright) == .angle(90, display: upright))
        #expect(LidReading(hinge: 0, screen: 0, keyboard: 0, display: upright) == .unreliable)
        #expect(LidReading(hinge: 360, screen: 90, keyboard: 0, display: nil) == .unreliable)
        #expect(LidReading(hinge: 90, screen: 90, keyboard: 0, display: nil) == .angle(90))
        #expect(LidReading(hinge: 360, screen: 90, keyboard: 0, display: .init(x: 9.8, y: 0, z: 0)) == .undefined)
    }

    @Test(arguments: [500, -1, .nan, .infinity])
    func `A number that is no angle is unreliable`(number: Double) {
        #expect(LidReading(degrees: number) == .unreliable)
        #expect(LidReading(hinge: number, screen: number, keyboard: number, display: nil) == .unreliable)
        #expect(LidReading(hinge: 0, screen: 90, keyboard: .nan, display: .init(x: 0, y: 9.8, z: 0)) == .unreliable)
    }

    @Test(arguments: [Acceleration.zero, .init(x: .nan, y: 0, z: 0)])
    func `A pair of which one reads nothing is unreliable`(nothing: Acceleration) {
        var pair = LidPair()
        let upright = Sample(time: 0, acceleration: .init(x: 0, y: 9.8, z: 0))
        #expect(pair.reading(display: upright, base: Sample(time: 0, acceleration: nothing)) == .unreliable)
        #expect(pair.reading(display: Sample(time: 0, acceleration: nothing), base: upright) == .unreliable)
    }

    @Test func `A pair that is shaken has no angle`() {
        var pair = LidPair()
        func reading(_ time: Double, _ factor: Double) -> LidReading {
            pair.reading(
                display: Sample(time: time, acceleration: .init(x: 0, y: factor * 9.8, z: 0)),
                base: Sample(time: time, acceleration: .init(x: 0, y: 0, z: 5)))
        }
        let right = LidReading.angle(90, display: .init(x: 0, y: 9.8, z: 0))
        #expect(reading(0, 1) == right)
        #expect(reading(0.1, 1.3) == .undefined)
        #expect(reading(0.2, 1) == right)
    }
}

/// A laptop that a user folds and turns, with the faults of real sensors.
private struct Trial {
    let source: TabletDecisionTests.Source
    private var random: SeededGenerator
    private var laptop = Laptop()
    private var decision = TabletDecision()
    private var pair = LidPair()
    private let gains: (display: Double, base: Double)
    private let hasLidSwitch: Bool
    private var time = 0.0
    private var former: (display: Acceleration, base: Acceleration)?
    private var wrong = (tablet: 0.0, laptop: 0.0, lap: 0.0)
    private(set) var faults: [String] = []
    /// The folds of the hour past the angle of the other mode, and the switches: all, and those on the wrong side of both.
    private(set) var (folds, switches, wrongSwitches) = (0, 0, 0)
    var firmware: Firmware?

    /// A switch that says tablet while the laptop is on its side, or nothing new for some time, and the mode that follows.
    struct Firmware {
        var isTablet = false
        var mode = false
        var stuckUntil = 0.0
        /// The changes to a wrong value: of the switch, and of the mode.
        var (wrongSwitches, wrongModes) = (0, 0)
        /// How long the mode is wrong, and a right switch overruled.
        var (wrong, overruled) = (0.0, 0.0)
    }

    init(source: TabletDecisionTests.Source, seed: UInt64) {
        (self.source, random) = (source, SeededGenerator(seed: seed))
        gains = (.random(in: 0.5...2, using: &random), .random(in: 0.5...2, using: &random))
        hasLidSwitch = .random(using: &random)
        if hasLidSwitch { decision.lidChanged(isShut: false, at: 0) }
    }

    mutating func run(moves: Int) {
        for _ in 0..<moves {
            let start = laptop
            var end = laptop
            if Double.random(in: 0...1, using: &random) < 0.7 { end.lid = .random(in: 0...360, using: &random) }
            if Double.random(in: 0...1, using: &random) < 0.5 {
                end.yaw = .random(in: 0...360, using: &random)
                end.pitch = .random(in: -180...180, using: &random)
                end.roll = .random(in: -90...90, using: &random)
            }
            // What happens unmeasured is not known afterwards near the ends.
            if !start.isDefined { end.lid = min(max(end.lid, 30), 330) }
            let speed = Double.random(in: 30...400, using: &random)
            let steps = max(Int(max(abs(end.lid - start.lid), abs(end.pitch - start.pitch)) / speed * 10), 1)
            for step in 1...(steps + .random(in: 5...30, using: &random)) {
                let share = min(Double(step) / Double(steps), 1)
                laptop.lid = start.lid + share * (end.lid - start.lid)
                laptop.yaw = start.yaw + share * (end.yaw - start.yaw)
                laptop.pitch = start.pitch + share * (end.pitch - start.pitch)
                laptop.roll = start.roll + share * (end.roll - start.roll)
                if !laptop.isDefined { laptop.lid = min(max(laptop.lid, 30), 330) }
                sample()
            }
        }
    }

    /// Types on a table or a lap, carries the open or folded laptop, and folds it.
    mutating func liveOneHour() {
        var isTablet = false
        while time < 3_600 {
            switch Int.random(in: 0..<3, using: &random) {
            case 0 where !isTablet:
                stay(.random(in: 20...120, using: &random)) { time, random in
                    // A stroke pushes for a tenth of a second.
                    Acceleration(x: 0.2 * random.normal(), y: 0.2 * random.normal(), z: 0.8 * random.normal())
                }
            case 1:
                let stride = Double.random(in: 1.6...2.2, using: &random)
                stay(.random(in: 10...60, using: &random), turns: true) { time, random in
                    let phase = 2 * .pi * stride * time
                    return Acceleration(
                        x: 1.2 * sin(phase / 2), y: 1.5 * cos(phase), z: 3 * sin(phase) + 0.5 * random.normal())
                }
            default:
                isTablet.toggle()
                folds += 1
                let end = Double.random(in: isTablet ? 320...360 : 20...150, using: &random)
                let (start, steps) = (laptop.lid, Int.random(in: 10...25, using: &random))
                (laptop.roll, laptop.pitch, laptop.push) = (0, .random(in: -40...40, using: &random), .zero)
                for step in 1...(steps + 10) {
                    laptop.lid = start + min(Double(step) / Double(steps), 1) * (end - start)
                    live()
                }
            }
        }
    }

    /// Moves both halves together for some seconds.
    private mutating func stay(
        _ seconds: Double, turns: Bool = false, _ push: (Double, inout SeededGenerator) -> Acceleration
    ) {
        let end = time + seconds
        let goal = (
            pitch: Double.random(in: -60...60, using: &random), roll: Double.random(in: -90...90, using: &random)
        )
        while time < end {
            if turns {
                laptop.pitch += 0.03 * (goal.pitch - laptop.pitch) + random.normal()
                laptop.roll += 0.03 * (goal.roll - laptop.roll) + random.normal()
            }
            laptop.push = push(time, &random)
            live()
        }
        (laptop.pitch, laptop.roll, laptop.push) = (0, 0, .zero)
    }

    private mutating func live() {
        let before = decision.isTablet
        sample()
        if firmware != nil { liveWithSwitch() }
        guard decision.isTablet != before else { return }
        switches += 1
        if decision.isTablet ? laptop.lid < 180 : laptop.lid > 210 && !laptop.mayBeOnLap { wrongSwitches += 1 }
    }

    private mutating func liveWithSwitch() {
        guard var firmware else { return }
        let former = firmware
        if time > firmware.stuckUntil {
            firmware.isTablet = laptop.lid > 190 || laptop.steepness > 0.5
            let isStuck = Double.random(in: 0...1, using: &random) < 0.002
            if isStuck { firmware.stuckUntil = time + .random(in: 5...60, using: &random) }
        }
        firmware.mode = decision.certainMode ?? firmware.isTablet
        // Between both, and on a lap, the switch may say either.
        let isTablet: Bool? = laptop.lid < 155 ? false : laptop.lid > 205 && !laptop.mayBeOnLap ? true : nil
        if let isTablet {
            if firmware.isTablet != former.isTablet, firmware.isTablet != isTablet { firmware.wrongSwitches += 1 }
            if firmware.mode != former.mode, firmware.mode != isTablet { firmware.wrongModes += 1 }
        }
        let isKnown = isTablet != nil && laptop.isDefined
        firmware.wrong = isKnown && firmware.mode != isTablet ? firmware.wrong + 0.1 : 0
        let isOverruled = isKnown && firmware.isTablet == isTablet && firmware.mode != isTablet
        firmware.overruled = isOverruled ? firmware.overruled + 0.1 : 0
        if firmware.wrong > 3 { faults.append("\(time.rounded()): wrong at \(Int(laptop.lid))°") }
        if firmware.overruled > 0.5 { faults.append("\(time.rounded()): a right switch is overruled") }
        self.firmware = firmware
    }

    private mutating func sample() {
        time += 0.1
        if hasLidSwitch { decision.lidChanged(isShut: laptop.lid < 8, at: time) }
        let before = decision.isTablet
        decision.handle(reading(), at: time)
        check(before: before)
    }

    private mutating func check(before: Bool) {
        if laptop.isVertical, decision.isTablet != before {
            faults.append("\(time.rounded()): changed with a vertical hinge")
        }
        guard laptop.isDefined else {
            wrong = (0, 0, 0)
            return
        }
        let knowsBase = source != .single
        wrong.tablet = decision.isTablet && laptop.lid < 174 ? wrong.tablet + 0.1 : 0
        wrong.lap = decision.isTablet && laptop.isOnLap && knowsBase ? wrong.lap + 0.1 : 0
        let mayBeLaptop = laptop.lid <= 216 || laptop.mayBeOnLap && knowsBase
        wrong.laptop = !decision.isTablet && !mayBeLaptop ? wrong.laptop + 0.1 : 0
        if wrong.lap > 0.85 { faults.append("\(time.rounded()): tablet at \(Int(laptop.lid))° on a lap") }
        if wrong.tablet > 0.35 {
            faults.append(
                "\(time.rounded()): tablet at \(Int(laptop.lid))° for \(wrong.tablet) s, angle \(decision.angle ?? -1)")
        }
        if wrong.laptop > 0.65 {
            faults.append(
                "\(time.rounded()): laptop at \(Int(laptop.lid))° for \(wrong.laptop) s, angle \(decision.angle ?? -1)")
        }
    }

    private mutating func reading() -> LidReading {
        let isTorn = Double.random(in: 0...1, using: &random) < 0.01
        let isZero = Double.random(in: 0...1, using: &random) < 0.037
        let true1 = (display: noisy(laptop.display), base: noisy(laptop.base))
        let torn = former.map {
            (display: Acceleration(x: true1.display.x, y: $0.display.y, z: $0.display.z), base: $0.base)
        }
        former = true1
        let now = isTorn ? torn ?? true1 : true1
        switch source {
        case .pair:
            return pair.reading(
                display: Sample(time: time, acceleration: gains.display * now.display),
                base: Sample(time: time, acceleration: gains.base * now.base))
        case .hinge:
            if isZero { return LidReading(hinge: 0, screen: 0, keyboard: 0, display: true1.display) }
            let screen = pitch(true1.display) + 90
            let keyboard = pitch(true1.base) - 90
            let hinge = isTorn ? 0 : laptop.lid + random.normal()
            return LidReading(
                hinge: wrap(hinge), screen: wrap(screen), keyboard: wrap(keyboard), display: true1.display)
        case .single:
            return laptop.isDefined ? LidReading(degrees: wrap(laptop.lid + random.normal())) : LidReading(degrees: 500)
        }
    }

    private func pitch(_ v: Acceleration) -> Double { atan2(v.z, v.y) * 180 / .pi }
    private func wrap(_ a: Double) -> Double { let r = fmod(a, 360); return r < 0 ? r + 360 : r }

    private mutating func noisy(_ vector: Acceleration) -> Acceleration {
        vector + Acceleration(x: 0.15 * random.normal(), y: 0.15 * random.normal(), z: 0.15 * random.normal())
    }
}
