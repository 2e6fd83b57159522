// SPDX-License-Identifier: Apache-2.0

internal import Sensors
internal import Varlink
internal import VarlinkServer

/// The calls that list the sensors of a group: one scan at a time, at most one per second, whose result all clients receive
/// that called before it began. A scan opens every sensor and queries udev.
///
/// Times are in seconds.
struct SensorListing {
    /// The interval between the starts of two scans, in seconds.
    static let interval = 1.0

    private enum Phase {
        case idle
        /// A scan for these clients is pending.
        case scanning(for: [Caller])
        /// The timer of ``TimerID/listing(_:)`` runs.
        case waiting
    }

    private let group: SensorGroup
    private var phase = Phase.idle
    /// The clients that called since the last scan began; a client has one call in progress.
    private var callers: [Caller] = []
    private var began = -Double.infinity

    init(_ group: SensorGroup) { self.group = group }

    mutating func add(_ caller: Caller, at now: Double) -> [Effect] {
        callers.append(caller)
        return next(at: now)
    }

    mutating func remove(_ client: ClientID) {
        callers.removeAll { $0.client == client }
        if case .scanning(let scanned) = phase { phase = .scanning(for: scanned.filter { $0.client != client }) }
    }

    mutating func timerFired(at now: Double) -> [Effect] {
        if case .waiting = phase { phase = .idle }
        return next(at: now)
    }

    /// Answers the calls at the end of a scan.
    mutating func finish(at now: Double, _ message: (Caller) -> EncodedMessage) -> [Effect] {
        guard case .scanning(let scanned) = phase else { return [] }
        phase = .idle
        return scanned.map { .reply($0.client, message($0)) } + next(at: now)
    }

    private mutating func next(at now: Double) -> [Effect] {
        guard case .idle = phase, !callers.isEmpty else { return [] }
        let wait = began + Self.interval - now
        guard wait <= 0 else {
            phase = .waiting
            return [.setTimer(.listing(group), after: wait)]
        }
        began = now
        phase = .scanning(for: callers)
        callers = []
        return [.raise(.scanWanted(group, .listing))]
    }
}
