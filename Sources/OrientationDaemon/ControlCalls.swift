// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import OrientationModel
internal import OrientationWire
internal import Sensing
internal import Varlink

/// Answers `org.orientationd.Control`.
final class ControlCalls: InterfaceCalls {
    let interface = ControlInterface.name
    private let orientation: OrientationCalls
    private let sensor: SensorControl
    private let keeper: LockKeeper
    private var log: Logger
    private let started = BootClock.now()

    /// The clients that are connected now.
    var sessions: @MainActor () -> [ClientSession] = { [] }
    /// Writes what a session was given to say.
    var serve: @MainActor (ClientSession) -> Void = { _ in }

    /// Puts the lock back as it was kept.
    init(orientation: OrientationCalls, sensor: SensorControl, keeper: LockKeeper, log: Logger) {
        self.orientation = orientation
        self.sensor = sensor
        self.keeper = keeper
        self.log = log
        orientation.setLock(keeper.restore())
    }

    func requirement(for call: Call) -> Authority.Requirement? {
        call.method == ControlInterface.setRotationLock ? .trustedOrSeated : .trusted
    }

    func answer(_ call: Call, _ session: ClientSession) {
        switch call.method {
        case ControlInterface.setRotationLock: setRotationLock(call.parameters, session)
        case ControlInterface.setLogLevel:
            let name: String? = try? call.parameters.value("level")
            if let level = name.flatMap(Logger.Level.init(rawValue:)) { log.logLevel = level }
            session.send(EncodedMessage(reply: [:]))
        case ControlInterface.status: session.send(EncodedMessage(reply: status()))
        default: session.send(EncodedMessage(error: .methodNotImplemented(call.method)))
        }
    }

    func forget(_ session: ClientSession) {
        keeper.forget(session.id)
    }

    private func setRotationLock(_ parameters: JSONObject, _ session: ClientSession) {
        let isLocked: Bool? = try? parameters.value("locked")
        let name: String? = try? parameters.optionalValue("edge")
        guard let isLocked else { return session.send(EncodedMessage(error: .invalidParameter("locked"))) }
        guard isLocked else {
            // Somebody who means an edge does not mean an open lock.
            guard name == nil else { return session.send(EncodedMessage(error: .invalidParameter("edge"))) }
            return set(.open, session)
        }
        if let edge = name.flatMap({ Edge($0) }) { return set(.closed(edge), session) }
        // The edge that is up now: a sensor that is off is asked first.
        orientation.whenKnown(session) { [unowned self] in set(.closed(orientation.edge), $0) }
    }

    private func set(_ lock: RotationLock, _ session: ClientSession) {
        orientation.setLock(lock)
        let outcome = keeper.keep(lock, for: session.id) { [unowned self] notKept in
            session.send(Self.reply(notKept: notKept))
            serve(session)
        }
        if case .done(let notKept) = outcome { session.send(Self.reply(notKept: notKept)) }
    }

    private static func reply(notKept: String?) -> EncodedMessage {
        var reply: JSONObject = [:]
        reply["notKept"] = notKept.map { .string($0) }
        return EncodedMessage(reply: reply)
    }

    private func status() -> JSONObject {
        let state = orientation.state
        let users = UserCount.count(sessions())
        var status: JSONObject = [
            "version": .string(Version.current), "instance": .string(state.instance),
            "uptime": .real(BootClock.now() - started), "source": .string(sensor.source),
        ]
        status["sensor"] = state.sensor.map { .string($0) }
        status["chipRate"] = sensor.origin?.arithmetic.rate.map { .real($0) }
        status["sampleRate"] = sensor.sampleRate.map { .real($0) }
        status["subscribers"] = .integer(Int64(users.reduce(0) { $0 + $1.subscribers }))
        status["connections"] = .array(users.map(\.json))
        status["samples"] = .integer(sensor.sampleCount)
        status["dropped"] = .integer(sensor.droppedCount)
        status["changes"] = .integer(Int64(state.sequence - 1))
        status["failures"] = .array(sensor.failures.notes.map(\.json))
        return status
    }
}

/// What one user has of the daemon.
struct UserCount {
    let user: UInt32
    private(set) var connections = 0
    private(set) var subscribers = 0

    /// Counts these sessions by user, in the order of the users' numbers.
    static func count(_ sessions: [ClientSession]) -> [UserCount] {
        var counts: [UInt32: UserCount] = [:]
        for session in sessions {
            counts[session.user, default: UserCount(user: session.user)].connections += 1
            if session.isSubscriber { counts[session.user]?.subscribers += 1 }
        }
        return counts.values.sorted { $0.user < $1.user }
    }

    var json: JSONValue {
        [
            "user": .integer(Int64(user)), "connections": .integer(Int64(connections)),
            "subscribers": .integer(Int64(subscribers)),
        ]
    }
}

extension FailureNote {
    fileprivate var json: JSONValue { ["timestamp": .integer(timestamp), "reason": .string(reason)] }
}
