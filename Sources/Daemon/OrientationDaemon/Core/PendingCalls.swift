// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import VarlinkServer

/// A call with its decoded parameters that cannot be answered before the first reading.
enum PendingCall {
    /// A call of the state.
    case orientation
    /// A subscription, which requests the sensors itself. It waits for the hinge sensor alone: a folded laptop whose tablet
    /// mode is not decided yet would look like one without a lid angle.
    case subscription
    case control(ControlHandler.Request)
    case hold(HoldHandler.Request)

    fileprivate var isSubscription: Bool { if case .subscription = self { true } else { false } }

    /// Whether it waits for the first reading of the hinge sensor, too.
    fileprivate var needsHinge: Bool {
        switch self {
        case .orientation, .subscription: true
        case .control, .hold: false
        }
    }
}

/// Calls that wait for the first reading. They request the sensor until a timeout after the newest call, so that it
/// stays on for a client that calls repeatedly.
struct PendingCalls {
    /// The timeout of a call, in seconds, for which it also keeps the sensor on.
    static let timeout = 1.0

    /// At most one per client: a client has one call in progress.
    private var calls: [ClientID: (call: PendingCall, caller: Caller, deadline: Double)] = [:]
    private var neededUntil: Double?
    /// Whether a call that needs the hinge sensor was made since no call needed a sensor.
    private var wasHingeNeeded = false
    /// The sensors that are requested.
    private var requested: Set<SensorKind> = []

    private func setTimer(at now: Double) -> Effect {
        let times = calls.values.map(\.deadline) + [neededUntil].compactMap(\.self)
        return .setTimer(.pendingCalls, after: times.min().map { max($0 - now, 0) })
    }

    mutating func add(_ call: PendingCall, from caller: Caller, at now: Double) -> [Effect] {
        calls[caller.client] = (call, caller, now + Self.timeout)
        if !call.isSubscription {
            neededUntil = now + Self.timeout
            if call.needsHinge { wasHingeNeeded = true }
        }
        return [setTimer(at: now)]
    }

    mutating func remove(_ client: ClientID) { calls[client] = nil }

    /// Resumes the calls that can be answered, and requests the sensors that calls have needed lately. With a tablet switch
    /// no call needs the hinge sensor.
    mutating func update(isReadingKnown: Bool, isLidKnown: Bool, hasTabletSwitch: Bool) -> [Effect] {
        let resumed = take { call, _ in (isReadingKnown || call.isSubscription) && (isLidKnown || !call.needsHinge) }
        var needed: Set<SensorKind> = neededUntil == nil ? [] : [.accelerometer]
        if neededUntil != nil, wasHingeNeeded, !hasTabletSwitch { needed.insert(.hinge) }
        let changed = [SensorKind.accelerometer, .hinge].filter { needed.contains($0) != requested.contains($0) }
        requested = needed
        return resumed + changed.map { .raise(.sensorDemand(.pendingCalls($0), needed.contains($0), for: nil)) }
    }

    /// Resumes the calls whose timeout has passed: the timer of ``TimerID/pendingCalls`` fired.
    mutating func timedOut(at now: Double) -> [Effect] {
        if let time = neededUntil, time <= now { (neededUntil, wasHingeNeeded) = (nil, false) }
        return take { $1 <= now } + [setTimer(at: now)]
    }

    private mutating func take(where isTaken: (PendingCall, _ deadline: Double) -> Bool) -> [Effect] {
        let taken = calls.filter { isTaken($0.value.call, $0.value.deadline) }.sorted { $0.key.serial < $1.key.serial }
        for (client, _) in taken { calls[client] = nil }
        return taken.map { .raise(.resumedCall($0.value.call, from: $0.value.caller)) }
    }
}
