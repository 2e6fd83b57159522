// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import OrientationWire
internal import Sensors
internal import Systemd
internal import Varlink
internal import VarlinkServer

/// The handler of `org.orientationd.Control`: the rotation lock, the log level, and the daemon's status.
struct ControlHandler: CallHandler {
    let interface = ControlInterface.name
    private(set) var lock: RotationLockKeeper
    /// The log level, and that of the command line, which the next start of the daemon has.
    private var logLevel: Logger.Level
    private let configuredLogLevel: Logger.Level
    /// The start time of the daemon, in seconds of the boot clock.
    private let started: Double

    init(lock: RotationLockKeeper, logLevel: Logger.Level = .info, started: Double) {
        self.lock = lock
        self.logLevel = logLevel
        configuredLogLevel = logLevel
        self.started = started
    }

    func requirement(for call: Call) -> Authority.Requirement? {
        [ControlInterface.setRotationLock, ControlInterface.toggleRotationLock].contains(call.method)
            ? .trustedOrSeated : .trusted
    }

    mutating func handle(_ call: Call, from caller: Caller, _ context: CallContext) -> [Effect] {
        switch call.method {
        case ControlInterface.setRotationLock: return setRotationLock(call, from: caller, context)
        case ControlInterface.toggleRotationLock: return toggleRotationLock(call, from: caller, context)
        case ControlInterface.setLogLevel:
            let name: String? = try? call.parameters.value("level")
            let level = name.flatMap(Logger.Level.init(rawValue:))
            if let level { logLevel = level }
            return (level.map { [.setLogLevel($0)] } ?? []) + [.reply(caller.client, EncodedMessage(reply: [:]))]
        case ControlInterface.status: return [.reply(caller.client, EncodedMessage(reply: status(context)))]
        default: return [.reply(caller.client, EncodedMessage(error: .methodNotImplemented(call.method)))]
        }
    }

    mutating func clientLeft(_ client: ClientID) { lock.clientLeft(client) }

    /// Whether exiting would lose the rotation lock or the log level.
    var holdsUnstoredState: Bool { logLevel != configuredLogLevel || !lock.isStored }

    /// Handles the end of a write of the rotation lock.
    mutating func lockStored(_ lock: RotationLock, failure: String?, at now: Double) -> [Effect] {
        self.lock.stored(lock, failure: failure, at: now)
    }

    /// The timer of ``TimerID/lockChange`` fired.
    mutating func lockTimerFired(at now: Double) -> [Effect] { lock.timerFired(at: now) }

    /// Writes a due rotation lock, because the daemon exits; ``Event/lockFinished`` follows.
    mutating func finish(at now: Double) -> [Effect] { lock.finish(at: now) }

    private mutating func setRotationLock(_ call: Call, from caller: Caller, _ context: CallContext) -> [Effect] {
        let isLocked: Bool? = try? call.parameters.value("locked")
        let name: String? = try? call.parameters.optionalValue("edge")
        guard let isLocked else { return [.reply(caller.client, EncodedMessage(error: .invalidParameter("locked")))] }
        guard isLocked else {
            // A lock that is off has no edge: the call is invalid.
            guard name == nil else {
                return [.reply(caller.client, EncodedMessage(error: .invalidParameter("edge")))]
            }
            return lock.set(.off, for: caller, at: context.now)
        }
        if let edge = name.flatMap({ Edge($0) }) {
            return lock.set(.on(PanelEdge(edge, natural: context.state.natural)), for: caller, at: context.now)
        }
        return lockCurrentEdge(call, from: caller, context)
    }

    /// Changes the lock that was set last, also if that change is still due.
    private mutating func toggleRotationLock(_ call: Call, from caller: Caller, _ context: CallContext) -> [Effect] {
        guard case .off = lock.wanted else {
            return lock.set(.off, for: caller, replying: ["locked": false], at: context.now)
        }
        var reply: JSONObject = ["locked": true]
        reply["lockedTo"] = context.state.lastEdge.map { .string($0.description) }
        return lockCurrentEdge(call, from: caller, context, replying: reply)
    }

    /// Locks to the current edge; a sensor that is off is started first, and the call is then handled again.
    private mutating func lockCurrentEdge(
        _ call: Call, from caller: Caller, _ context: CallContext, replying reply: JSONObject = [:]
    ) -> [Effect] {
        guard context.isReadingKnown else { return [.raise(.callNeedsReading(call, from: caller))] }
        let lastEdge = context.state.lastEdge.map { PanelEdge($0, natural: context.state.natural) }
        return lock.set(.on(lastEdge), for: caller, replying: reply, at: context.now)
    }

    private func status(_ context: CallContext) -> JSONObject {
        let readings = context.machine.readings
        let users = context.machine.connections
        var status: JSONObject = [
            "version": .string(Version.current), "instance": .string(context.state.instance),
            "uptime": .real(context.now - started), "source": .string(context.source),
        ]
        status["sensor"] = context.state.sensor.map { .string($0) }
        status["chipRate"] = context.isSensorOpen ? readings.arithmetic.rate.map { .real($0) } : nil
        status["sampleRate"] = readings.sampleRate.map { .real($0) }
        status["subscribers"] = .integer(Int64(users.reduce(0) { $0 + $1.subscribers }))
        status["connections"] = .array(users.map(\.json))
        status["samples"] = .integer(readings.sampleCount)
        status["dropped"] = .integer(readings.droppedCount)
        status["changes"] = .integer(Int64(context.state.sequence - 1))
        status["failures"] = .array(context.failures.map(\.json))
        return status
    }
}

extension UserCount {
    fileprivate var json: JSONValue {
        [
            "user": .integer(Int64(user)), "connections": .integer(Int64(connections)),
            "subscribers": .integer(Int64(subscribers)),
        ]
    }
}

extension FailureNote {
    fileprivate var json: JSONValue { ["timestamp": .integer(timestamp), "reason": .string(reason)] }
}
