// SPDX-License-Identifier: Apache-2.0

/// Decides from the lid angle whether a laptop is used as a tablet. A value without a clock.
///
///     var decision = TabletDecision()
///     decision.handle(.angle(300), at: time)
///     if decision.isTablet { … }
package struct TabletDecision: Sendable {
    /// The least angle of a tablet, and the one below which it is a laptop again, in degrees.
    package static let tabletAngle = 210.0
    private static let laptopAngle = 180.0
    /// The angles at which a base that lies with the keyboard up, as on a leg, makes a laptop: its user sits at the keyboard. And
    /// the largest tilt of such a base, and the excess of both that ends it, in degrees.
    private static let lapAngles = laptopAngle...300.0
    private static let lapTilt = 30.0
    private static let lapExcess = 10.0
    /// The readings that make a tablet if none between contradicts, or a laptop by its base, and the least time in seconds that
    /// they take; those that make a laptop by its angle.
    private static let tabletReadings = 4
    private static let tabletTime = 0.3
    private static let laptopReadings = 2
    /// The angles below which it is a laptop, and above which it is a tablet, whatever a switch says; the time in seconds that it
    /// takes, and the degrees towards the other mode that end it.
    private static let certainAngles = 160.0...200.0
    private static let certainTime = 2.0
    private static let certainExcess = 5.0
    /// The time in seconds, from the first reading, after which gravity decides whether a lid near 0° or 360° is shut; and the
    /// direction of a display that faces down, as z of its unit vector.
    private static let seamTime = 2.0
    private static let facingDown = -0.7
    /// No hand folds faster, in degrees per second: such a reading is a wrap or a fault.
    private static let fastestFold = 720.0
    /// The distance from 0 and 360 within which the one may be read as the other, in degrees: the error of the sensors.
    private static let seam = 15.0
    /// The time, in seconds, after which a sensor without an angle means a laptop: its keyboard must work.
    package static let longestFault = 30.0
    /// The shortest time between two readings for the speed of a fold, in seconds: noise exceeds the speed in less.
    private static let shortestInterval = 0.1

    /// Whether the device is used as a tablet.
    package private(set) var isTablet = false
    /// The last angle in degrees, with its time in seconds; nil before the first one and after a long fault.
    private var last: (angle: Double, time: Double)?
    /// The run of readings for the other mode.
    private var run: (count: Int, since: Double)?
    private var faultStart: Double?
    /// Whether the base lies with the keyboard up at an angle of ``lapAngles``.
    private var isOnLap = false
    /// The mode of a certain angle, and since when.
    private var certain: (isTablet: Bool, since: Double)?
    /// The first reading near 0° or 360°, while the angle is not known.
    private var seamStart: Double?
    /// Whether the lid is shut; nil without a switch.
    private var isShut: Bool?

    package init() {}

    /// Whether readings for the other mode have begun.
    package var isDeciding: Bool { run != nil }

    /// Whether the lid angle proves a tablet (true) or a laptop (false): it overrules a switch. Nil while it proves neither.
    package private(set) var certainMode: Bool?

    /// Whether ``certainMode`` may change although the device is at rest.
    package var isBecomingCertain: Bool { certain != nil && certainMode == nil }

    /// Whether no reading was reliable for ``longestFault``.
    package private(set) var hasFailed = false

    /// Whether the last reading was a fault: the result belongs to an earlier one.
    package var isFaulty: Bool { faultStart != nil }

    /// The lid angle in degrees from 0 (shut) to 360 (folded back), if it is known.
    package var angle: Double? { last?.angle }

    /// Whether the mode depends on angles before the first one: at this angle, a tablet is not yet told from a laptop.
    package var isAmbiguous: Bool { !isTablet && !isOnLap && (angle ?? 0) >= Self.laptopAngle }

    /// Processes the state of the lid switch; nil without one. A shut lid means laptop.
    package mutating func lidChanged(isShut: Bool?, at time: Double) {
        self.isShut = isShut
        guard isShut == true else { return }
        (isTablet, run, faultStart, hasFailed) = (false, nil, nil, false)
        last = (0, time)
        forgetCertainty()
    }

    /// Processes a reading at a time in seconds.
    package mutating func handle(_ reading: LidReading, at time: Double) {
        guard isShut != true else { return }
        switch reading {
        // The sensor works.
        case .undefined: faultStart = nil
        case .unreliable: fail(at: time)
        case .angle(let reading, let display):
            guard let angle = resolve(reading, display, at: time) else { return fail(at: time) }
            last = (angle, time)
            (faultStart, hasFailed, seamStart) = (nil, false, nil)
            isOnLap = display.map { isOnLap(angle, $0) } ?? false
            decide(angle, at: time)
            ascertain(angle, at: time)
        }
    }

    private func isOnLap(_ angle: Double, _ display: Acceleration) -> Bool {
        let excess = isOnLap ? Self.lapExcess : 0
        return angle >= Self.lapAngles.lowerBound && angle <= Self.lapAngles.upperBound + excess
            && LidReading.keyboardTilt(display: display, angle: angle) <= Self.lapTilt + excess
    }

    private mutating func ascertain(_ angle: Double, at time: Double) {
        let excess = certainMode == nil ? 0 : Self.certainExcess
        let isLaptop = angle < Self.certainAngles.lowerBound + excess || isOnLap
        guard isLaptop || angle > Self.certainAngles.upperBound - excess else { return forgetCertainty() }
        if certain?.isTablet != !isLaptop { (certain, certainMode) = ((!isLaptop, time), nil) }
        if let certain, time - certain.since >= Self.certainTime { certainMode = certain.isTablet }
    }

    private mutating func forgetCertainty() { (certain, certainMode) = (nil, nil) }

    private mutating func fail(at time: Double) {
        let start = faultStart ?? time
        faultStart = start
        guard time - start >= Self.longestFault else { return }
        (isTablet, last, run, hasFailed, isOnLap, seamStart) = (false, nil, nil, true, false, nil)
        forgetCertainty()
    }

    private mutating func decide(_ angle: Double, at time: Double) {
        guard isTablet ? angle < Self.laptopAngle || isOnLap : angle >= Self.tabletAngle && !isOnLap else {
            run = nil
            return
        }
        let run = (count: (run?.count ?? 0) + 1, since: run?.since ?? time)
        self.run = run
        let isEnough =
            isTablet && !isOnLap
            ? run.count >= Self.laptopReadings
            : run.count >= Self.tabletReadings && time - run.since >= Self.tabletTime
        guard isEnough else { return }
        isTablet.toggle()
        self.run = nil
    }

    /// Returns the angle that a reading means; nil for a fault, and while it is not decided.
    private mutating func resolve(_ reading: Double, _ display: Acceleration?, at time: Double) -> Double? {
        let isLow = reading < Self.seam
        guard isLow || reading > 360 - Self.seam else { return isPossible(reading, at: time) ? reading : nil }
        let ends = isLow ? (low: reading, high: 360.0) : (low: 0.0, high: reading)
        guard let last else {
            if isShut == false { return ends.high }
            let start = seamStart ?? time
            seamStart = start
            guard let display, time - start >= Self.seamTime else { return nil }
            return display.normalized.z < Self.facingDown ? ends.low : ends.high
        }
        let angle = last.angle - ends.low < ends.high - last.angle ? ends.low : ends.high
        return isPossible(angle, at: time) ? angle : nil
    }

    private func isPossible(_ angle: Double, at time: Double) -> Bool {
        guard let last else { return true }
        return abs(angle - last.angle) <= Self.fastestFold * max(time - last.time, Self.shortestInterval)
    }
}
