// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import SeededRandomness
import Testing

/// The decision over hours of use, with the faults of real sensors.
@Suite struct TabletModeTrialTests {
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
        // At the start one wrong mode is possible: the angle is not certain yet.
        #expect(firmware.wrongModes <= 1 && firmware.wrongSwitches > 10, "\(firmware)")
    }
}

/// A laptop that a user folds and turns, with the faults of real sensors.
private struct Trial {
    let source: TabletModeTrialTests.Source
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

    init(source: TabletModeTrialTests.Source, seed: UInt64) {
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
        let exact = (display: noisy(laptop.display), base: noisy(laptop.base))
        let torn = former.map {
            (display: Acceleration(x: exact.display.x, y: $0.display.y, z: $0.display.z), base: $0.base)
        }
        former = exact
        let now = isTorn ? torn ?? exact : exact
        switch source {
        case .pair:
            return pair.reading(
                display: Sample(time: time, acceleration: gains.display * now.display),
                base: Sample(time: time, acceleration: gains.base * now.base))
        case .hinge:
            if isZero { return LidReading(hinge: 0, screen: 0, keyboard: 0, display: exact.display) }
            let screen = pitch(exact.display) + 90
            let keyboard = pitch(exact.base) - 90
            let hinge = isTorn ? 0 : laptop.lid + random.normal()
            return LidReading(
                hinge: wrap(hinge), screen: wrap(screen), keyboard: wrap(keyboard), display: exact.display)
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
