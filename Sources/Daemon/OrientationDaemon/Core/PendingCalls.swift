// SPDX-License-Identifier: Apache-2.0

internal import VarlinkServer

/// A call with its decoded parameters that cannot be answered before the first reading.
enum PendingCall {
    case orientation(OrientationHandler.Request)
    case control(ControlHandler.Request)
}

/// Calls that wait for the first reading. They request the sensor until a timeout after the newest call, so that it
/// stays on for a client that calls repeatedly.
struct PendingCalls {
    /// The timeout of a call, in seconds, for which it also keeps the sensor on.
    static let timeout = 1.0

    /// At most one per client: a client has one call in progress.
    private var calls: [ClientID: (call: PendingCall, caller: Caller, deadline: Double)] = [:]
    private var neededUntil: Double?

    var needsSensor: Bool { neededUntil != nil }

    /// Returns the seconds until the next timeout; nil if no call is pending.
    func wait(at now: Double) -> Double? {
        neededUntil.map { max(min($0, calls.values.map(\.deadline).min() ?? $0) - now, 0) }
    }

    mutating func add(_ call: PendingCall, from caller: Caller, at now: Double) {
        calls[caller.client] = (call, caller, now + Self.timeout)
        neededUntil = now + Self.timeout
    }

    mutating func remove(_ client: ClientID) { calls[client] = nil }

    /// Removes and returns all calls, which can be answered; the request of the sensor remains.
    mutating func takeAll() -> [Event] { take { _ in true } }

    /// Removes and returns the calls whose timeout has passed.
    mutating func takeExpired(at now: Double) -> [Event] {
        if let time = neededUntil, time <= now { neededUntil = nil }
        return take { $0 <= now }
    }

    private mutating func take(where isTaken: (_ deadline: Double) -> Bool) -> [Event] {
        let taken = calls.filter { isTaken($0.value.deadline) }.sorted { $0.key.serial < $1.key.serial }
        for (client, _) in taken { calls[client] = nil }
        return taken.map { .resumedCall($0.value.call, from: $0.value.caller) }
    }
}
