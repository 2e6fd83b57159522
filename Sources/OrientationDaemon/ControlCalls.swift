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
    private let directory: StateDirectory?
    private var log: Logger
    private let started = BootClock.now()
    /// Whether the lock is in the directory as it is.
    private var isKept = true

    /// The connections of each user now.
    var connectionsOfUser: @MainActor () -> [UInt32: Int] = { [:] }

    /// Puts the lock back as it was kept in `directory`; nil keeps nothing.
    init(orientation: OrientationCalls, sensor: SensorControl, directory: StateDirectory?, log: Logger) {
        self.orientation = orientation
        self.sensor = sensor
        self.directory = directory
        self.log = log
        if let lock = directory?.readLock(log: log) { _ = orientation.setLock(lock) }
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

    private func setRotationLock(_ parameters: JSONObject, _ session: ClientSession) {
        let isLocked: Bool? = try? parameters.value("locked")
        let name: String? = try? parameters.optionalValue("edge")
        guard let isLocked else { return session.send(EncodedMessage(error: .invalidParameter("locked"))) }
        guard isLocked else { return set(.open, session) }
        if let edge = name.flatMap({ Edge($0) }) { return set(.closed(edge), session) }
        // The edge that is up now: a sensor that is off is asked first.
        orientation.whenKnown(session) { [unowned self] in set(.closed(orientation.edge), $0) }
    }

    private func set(_ lock: RotationLock, _ session: ClientSession) {
        defer { session.send(EncodedMessage(reply: [:])) }
        // What is kept already is not written again, however often it is asked for.
        guard orientation.setLock(lock) || !isKept else { return }
        isKept = directory?.write(lock, log: log) ?? true
        log.info("the rotation lock is now \(lock.text.dropLast())")
    }

    private func status() -> JSONObject {
        let state = orientation.state
        let users = connectionsOfUser().sorted { $0.key < $1.key }
        let failures = sensor.failures.map { failure -> JSONValue in
            ["timestamp": .integer(failure.timestamp), "reason": .string(failure.reason)]
        }
        var status: JSONObject = [
            "version": .string(Version.current), "instance": .string(state.instance),
            "uptime": .real(BootClock.now() - started), "source": .string(sensor.source),
            "subscribers": .integer(Int64(orientation.subscriberCount)),
            "connections": .array(
                users.map { ["user": .integer(Int64($0.key)), "connections": .integer(Int64($0.value))] }),
            "samples": .integer(sensor.sampleCount),
            "changes": .integer(Int64(state.sequence - 1)),
            "failures": .array(failures),
        ]
        status["sensor"] = state.sensor.map { .string($0) }
        return status
    }
}
