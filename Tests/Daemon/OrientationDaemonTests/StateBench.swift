// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Systemd
import Varlink

@testable import OrientationDaemon
@testable import Sensors
@testable import VarlinkServer

/// The daemon's state without any I/O: events in, effects out. Events that handlers raise are handled here, first in,
/// first out, as the dispatcher does.
final class StateBench: Machine {
    private var state: DaemonState
    var now = 100.0
    var attitude: ClassifiedSample?
    var seats: Set<UInt32> = []
    var connections: [UserCount] = []
    var hasClients = false
    /// The reports in the order in which they were handled.
    private(set) var reports: [SensorState] = []
    private var lastClient = 0
    /// Without it, each start of the hinge sensor fails.
    private let hasHinge: Bool

    init(
        simulatedSensors: Set<SensorKind>? = nil, servesSensorProxy: Bool = false, lock: RotationLock? = .off,
        natural: Edge? = nil, mayUsePanel: Bool = true, lastEdge: PanelEdge? = nil, idleExit: Double? = nil,
        hasHinge: Bool = false
    ) throws {
        self.hasHinge = hasHinge
        state = DaemonState(
            source: "auto", natural: NaturalOrientationHandler(option: natural, mayUsePanel: mayUsePanel),
            simulatedSensors: simulatedSensors, servesSensorProxy: servesSensorProxy, instance: "test",
            lock: lock, lastEdge: lastEdge, idleExit: idleExit, at: 100)
    }

    /// Handles events that are queued together, and those that are raised. Returns the effects.
    @discardableResult func send(_ events: Event...) -> [Effect] {
        var queue = events
        var effects: [Effect] = []
        while !queue.isEmpty {
            let event = queue.removeFirst()
            if case .report(.accelerometer, let report) = event { reports.append(report) }
            for effect in state.handle(event, on: self) {
                switch effect {
                case .raise(let raised): queue.append(raised)
                case .sensors(_, .start(let start)) where start.kind == .hinge && !hasHinge:
                    queue.append(.sensor(.hinge, run: start.run, .failed(sensor: nil, .noDevice("none"))))
                // The event has the purpose.
                case .sensors(_, .scan): effects += [.raise(event), effect]
                default: effects.append(effect)
                }
            }
        }
        return effects
    }

    /// A new client of a user.
    func client(user: UInt32 = 1000, isTrusted: Bool = false) -> Caller {
        lastClient += 1
        return Caller(client: ClientID(serial: lastClient), user: user, isTrusted: isTrusted)
    }

    /// Calls a method, and returns the effects.
    @discardableResult func call(
        _ method: String, _ parameters: JSONObject = [:], mode: Call.Mode = .single, from caller: Caller
    ) -> [Effect] {
        send(.client(.call(Call("org.orientationd.\(method)", parameters, mode: mode), from: caller)))
    }

    /// A new client that subscribes to the orientation.
    func subscriber(isTrusted: Bool = false) -> Caller {
        let caller = client(isTrusted: isTrusted)
        call("Orientation.Monitor", mode: .more, from: caller)
        return caller
    }

    /// The sensor opens and decides for the first time.
    @discardableResult func startSensor(_ orientation: DeviceOrientation = .portrait, run: Int = 1) -> [Effect] {
        let chip = SensorDescription(id: "iio:0", name: "chip")
        return send(.sensor(.accelerometer, run: run, .opened(chip))) + decide(orientation, run: run)
    }

    /// The classifier decides.
    @discardableResult func decide(_ orientation: DeviceOrientation, run: Int = 1) -> [Effect] {
        let new = ClassifiedSample(
            orientation: orientation, lastEdge: Edge(orientation), tilt: 12.3, tiltBand: .vertical, disturbance: 0.7,
            timestamp: Int64(now * 1_000_000))
        attitude = new
        return send(.sensor(.accelerometer, run: run, .decided(new)))
    }

    var readings: SensorReadings {
        var readings = SensorReadings()
        readings.newest = attitude
        readings.conversion.rate = 25
        readings.sampleCount = 5
        readings.sampleRate = 10
        return readings
    }

    func isSeated(user: UInt32) -> Bool { seats.contains(user) }
}

extension Event {
    /// An event of one sensor, from its thread.
    static func sensor(_ kind: SensorKind, run: Int, _ event: RunEvent) -> Event {
        .sensorThread(kind.group, .sensor(kind, run: run, event))
    }
}

extension RunEvent {
    /// A first reading of a sensor.
    static func firstReading(of kind: SensorKind) -> RunEvent {
        switch kind {
        case .accelerometer:
            .decided(ClassifiedSample(orientation: .portrait, lastEdge: .portrait, tiltBand: .vertical, timestamp: 5))
        case .light: .read(.light(1, .lux))
        case .proximity: .read(.proximity(isNear: true))
        case .compass: .read(.compass(1))
        case .hinge: .read(.lid(LidPosture(isTablet: false, angle: 90)))
        }
    }
}

extension SensorDescription {
    /// A sensor as a scan lists it if it is chosen.
    static func chosen(_ kind: SensorKind, _ id: String = "iio:device1") -> SensorDescription {
        var sensor = SensorDescription(kind, id: id, name: "chip", method: "in_raw")
        sensor.isChosen = true
        return sensor
    }
}

extension [Effect] {
    /// The messages for a client, without their frames: replies, and broadcasts that it is among.
    func messages(to caller: Caller) -> [String] {
        compactMap { effect in
            switch effect {
            case .reply(caller.client, let message, _): message.text
            case .broadcast(let message, _, let clients) where clients.contains(caller.client): message.text
            case .send(let delivery) where delivery.client == caller.client: delivery.message.text
            default: nil
            }
        }
    }

    /// What is done with the accelerometer, in words.
    var sensor: [String] { actions(of: .accelerometer) }

    /// What is done with the ambient sensors, in words.
    var ambient: [String] { actions(of: .ambient) }

    /// What is done with the sensors of a group, in words; those of the accelerometer do not name it.
    func actions(of group: SensorGroup) -> [String] {
        let name = { (kind: SensorKind) in kind == .accelerometer ? "" : " \(kind)" }
        var scans = scans(of: group)
        return compactMap { effect in
            switch effect {
            case .sensors(group, .start(let start)):
                "start\(name(start.kind)) \(start.run)\(start.isFresh ? " fresh" : "")"
                    + start.recentFailures.keys.map { " not \($0.id)" }.joined()
            case .sensors(group, .stop(let kind)): "stop\(name(kind))"
            case .sensors(group, .close): "close"
            case .sensors(group, .scan(let request, _)): "scan \(request) \(scans.removeFirst().purpose)"
            case .setMotionRate(let rate) where group == .accelerometer: "rate \(rate.map { "\($0)" } ?? "none")"
            case .pauseSensor(let isPaused) where group == .accelerometer: isPaused ? "pause" : "resume"
            default: nil
            }
        }
    }

    /// The scans of the sensors of a group.
    func scans(of group: SensorGroup) -> [(request: Int, purpose: ScanPurpose)] {
        zip(self, dropFirst()).compactMap { event, effect in
            guard case .raise(.scanWanted(group, let purpose)) = event,
                case .sensors(group, .scan(let request, _)) = effect
            else { return nil }
            return (request, purpose)
        }
    }

    /// The timers that are started, with their seconds, and those that are stopped.
    var timers: [TimerID: Double] {
        reduce(into: [:]) { timers, effect in
            if case .setTimer(let timer, let seconds) = effect { timers[timer] = seconds ?? -1 }
        }
    }

    /// What is done on the bus, in words.
    var bus: [String] {
        compactMap { effect in
            guard case .bus(let effect) = effect else { return nil }
            switch effect {
            case .requestName: return "request name"
            case .reacquireName: return "reacquire name"
            case .publish: return nil
            case .signal(let claimant, let changes):
                return "signal \(claimant.client): \(changes.map(\.name).joined(separator: " "))"
            case .claim(.identify(let claimant)): return "identify \(claimant.client)"
            case .claim(.authorize(let claimant, let user)): return "authorize \(claimant.client) of \(user)"
            case .claim(.watch(let claimant)): return "watch \(claimant.client)"
            case .claim(.unwatch(let claimant)): return "unwatch \(claimant.client)"
            case .claim(.reply(let call)): return "reply \(call)"
            case .claim(.refuse(let call, let refusal)):
                return "refuse \(call) \(refusal.error.name.split(separator: ".").last ?? "")"
            }
        }
    }

    var logs: [String] {
        compactMap { effect in
            switch effect {
            case .log(_, let text): text
            default: nil
            }
        }
    }
}

extension EncodedMessage {
    /// The message without its NUL.
    var text: String { String(decoding: bytes.dropLast(), as: UTF8.self) }
}

extension ClassifiedSample {
    /// Creates a sample from the names on a tall panel.
    nonisolated init(
        orientation: DeviceOrientation, lastEdge: Edge? = nil, tilt: Double? = nil, tiltBand: TiltBand? = nil,
        disturbance: Double? = nil, timestamp: Int64
    ) {
        self.init(
            pose: PanelPose(orientation, natural: .portrait),
            lastEdge: lastEdge.map { PanelEdge($0, natural: .portrait) }, tilt: tilt, tiltBand: tiltBand,
            disturbance: disturbance, timestamp: timestamp)
    }
}
