// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@Suite struct TabletDecisionTests {
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
