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
    var lock: RotationLockKeeper
    /// The log level, and the one of the command line, which the next start of the daemon has.
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

    enum Request {
        case setLock(RotationLock)
        /// Lock the edge that is up, or was last.
        case lockLastEdge
        case toggleLock
        case setLogLevel(Logger.Level)
        case status
    }

    func decode(_ call: inout Call, natural: Edge) throws(ErrorReply) -> Request {
        switch call.method {
        case ControlInterface.setRotationLock:
            let isLocked: Bool = try call.take("locked")
            let name: String? = try call.takeOptional("edge")
            // A lock that is off has no edge.
            guard isLocked || name == nil else { throw .invalidParameter("edge") }
            guard let name else { return isLocked ? .lockLastEdge : .setLock(.off) }
            guard let edge = Edge(name) else { throw .invalidParameter("edge") }
            return .setLock(.on(PanelEdge(edge, natural: natural)))
        case ControlInterface.toggleRotationLock: return .toggleLock
        case ControlInterface.setLogLevel: return .setLogLevel(try call.takeCase("level"))
        case ControlInterface.status: return .status
        default: throw .methodNotImplemented(call.method)
        }
    }

    mutating func handle(_ request: Request, from caller: Caller, _ context: CallContext) -> [Effect] {
        switch request {
        case .setLock(let new): return lock.set(new, for: caller, at: context.now)
        case .toggleLock where lock.wanted != .off:
            return lock.set(.off, for: caller, replying: ["locked": false], at: context.now)
        case .lockLastEdge, .toggleLock:
            // A sensor that is off is started first, and the request is then handled again.
            guard context.isReadingKnown else { return [.raise(.callNeedsReading(.control(request), from: caller))] }
            var reply: JSONObject = [:]
            if case .toggleLock = request {
                reply["locked"] = true
                reply["lockedTo"] = context.state.lastEdge.map { .string($0.description) }
            }
            return lock.set(.on(context.lastEdge), for: caller, replying: reply, at: context.now)
        case .setLogLevel(let level):
            logLevel = level
            return [.setLogLevel(level), .reply(caller.client, EncodedMessage(reply: [:]))]
        case .status: return [.reply(caller.client, EncodedMessage(reply: status(context)))]
        }
    }

    /// Whether exiting would lose the rotation lock or the log level.
    var holdsUnstoredState: Bool { logLevel != configuredLogLevel || !lock.isStored }

    private func status(_ context: CallContext) -> JSONObject {
        let readings = context.machine.readings
        let users = context.machine.connections
        var status: JSONObject = [
            "version": .string(Version.current), "instance": .string(context.state.instance),
            "uptime": .real(context.now - started), "source": .string(context.source),
            "logLevel": .string(logLevel.rawValue),
        ]
        status["sensor"] = context.state.sensor.map { .string($0) }
        status["chipRate"] = context.isSensorOpen ? readings.conversion.rate.map { .real($0) } : nil
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
