// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// The state machine of a chip's motion event: when to arm it, and when its interrupt does not work. Readings and events
/// in, actions out.
///
/// The event is armed after the device has been still for ``restTime``, and the sensor is then read every
/// ``readingInterval``. A chip whose interrupt is not connected reports nothing: if a reading shows a turn without an
/// event, and the chip has never reported one, the event is abandoned. A chip that reports events while it is still is
/// armed later each time.
struct MotionEventState {
    enum Action: Equatable {
        case none
        /// Arm the event, and call ``armed(at:)`` or ``refused(isPermanent:at:)``.
        case arm
        /// Disarm the event, and read as before.
        case disarm
        /// Disarm the event, and do not use it again: it did not report a turn.
        case abandon
    }

    /// The time at rest before the event is armed, in seconds: longer than any decision of the classifier.
    static let restTime = 2.0
    /// The interval between readings while the event is armed, in seconds.
    static let readingInterval = PollingPace.intervalWithEvents
    /// The smallest turn without an event that shows a silent interrupt, in degrees. A slow turn by less causes none.
    static let silentTurn = 15.0
    /// The longest time at rest before the event is armed, in seconds, after events without motion or refusals.
    static let longestRest = 64.0

    private(set) var isUsable = true
    private(set) var isArmed = false
    private var rest = RestDetector()
    /// The time at rest that the next arming requires, in seconds.
    private var neededRest = Self.restTime
    /// Whether an event was followed by motion: the interrupt works.
    private(set) var isProven: Bool
    /// Whether an event ended the last rest, and no motion followed yet.
    private var awaitsMotion = false
    /// Whether the last reading showed a rest that is long enough.
    private var isDue = false

    /// `isProven`: the interrupt worked before.
    init(isProven: Bool = false) { self.isProven = isProven }

    /// Handles a reading in m/s². `hasFired`: an event was reported since the last reading. `isLast`: no reading of the
    /// past follows; otherwise ``allRead()`` arms the event: a turn in them is not lost.
    mutating func read(
        _ reading: Acceleration, at now: Double, hasFired: Bool = false, isLast: Bool = true
    ) -> Action {
        let turn = rest.reference?.angle(to: reading) ?? 0
        let isStill = rest.read(reading, at: now)
        if isArmed { return readArmed(isStill: isStill, turn: turn, at: now, hasFired: hasFired) }
        if !isStill, awaitsMotion { proveInterrupt() }
        isDue = isUsable && now - rest.stillSince >= neededRest
        return isDue && isLast ? .arm : .none
    }

    /// Returns the action once no reading is left.
    func allRead() -> Action { isDue ? .arm : .none }

    private mutating func readArmed(isStill: Bool, turn: Double, at now: Double, hasFired: Bool) -> Action {
        guard hasFired || !isStill else { return .none }
        isArmed = false
        rest.restart(at: now)
        if hasFired {
            awaitsMotion = true
            if !isStill { proveInterrupt() }
            return .disarm
        }
        guard turn >= Self.silentTurn, !isProven else { return .disarm }
        isUsable = false
        return .abandon
    }

    private mutating func proveInterrupt() {
        isProven = true
        awaitsMotion = false
        neededRest = Self.restTime
    }

    mutating func armed(at now: Double) {
        isArmed = true
        isDue = false
        if awaitsMotion { extendRest() }
        awaitsMotion = false
    }

    /// The event could not be armed. `isPermanent`: a retry cannot succeed.
    mutating func refused(isPermanent: Bool, at now: Double) {
        isUsable = isUsable && !isPermanent
        isDue = false
        rest.restart(at: now)
        extendRest()
    }

    /// The event was disarmed for another reason, such as a motion subscriber.
    mutating func disarmed(at now: Double) {
        isArmed = false
        isDue = false
        rest.restart(at: now)
    }

    private mutating func extendRest() { neededRest = min(2 * neededRest, Self.longestRest) }
}
