// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import OrientationWire
internal import Sensors
internal import Varlink
internal import VarlinkServer

/// The handler of `org.orientationd.Simulator`: moves the simulated device.
struct SimulatorHandler: CallHandler {
    let interface = SimulatorInterface.name
    let sensors: Set<SensorKind>

    func requirement(for call: Call) -> Authority.Requirement? { .trusted }

    enum Request {
        case setTabletMode(Bool)
        case move(SimulatedDevice.Move)

        /// The sensor that it needs; nil if it needs none: a failure is one of all sensors.
        fileprivate var sensor: SensorKind? {
            switch self {
            case .move(.set(let reading)): reading.kind
            case .setTabletMode, .move(.fold), .move(.fail): nil
            case .move: .accelerometer
            }
        }
    }

    func decode(_ call: inout Call, natural: Edge) throws(ErrorReply) -> Request {
        let request = try request(&call, natural: natural)
        if let sensor = request.sensor, !sensors.contains(sensor) { throw .noSensor(sensor.rawValue) }
        return request
    }

    private func request(_ call: inout Call, natural: Edge) throws(ErrorReply) -> Request {
        switch call.method {
        case SimulatorInterface.setTabletMode: return .setTabletMode(try call.take("tabletMode"))
        case SimulatorInterface.setLight:
            return .move(.set(.light(try call.takeNumber("level", in: SimulatorInterface.lightLevels), .lux)))
        case SimulatorInterface.setProximity: return .move(.set(.proximity(isNear: try call.take("near"))))
        case SimulatorInterface.setHeading:
            return .move(.set(.compass(try call.takeNumber("heading", in: SimulatorInterface.angles))))
        case SimulatorInterface.setLidAngle:
            return .move(.fold(to: try call.takeNumber("angle", in: SimulatorInterface.angles)))
        case SimulatorInterface.setPose: return .move(.hold(try pose(&call, "pose", natural)))
        case SimulatorInterface.turn:
            return .move(.turn(to: try pose(&call, "to", natural), duration: try duration(&call, default: 0.4)))
        case SimulatorInterface.shake: return .move(.shake(duration: try duration(&call, default: 1)))
        case SimulatorInterface.setAcceleration:
            let range = SimulatorInterface.accelerations
            return .move(
                .read(
                    Acceleration(
                        x: try call.takeNumber("x", in: range), y: try call.takeNumber("y", in: range),
                        z: try call.takeNumber("z", in: range))))
        case SimulatorInterface.fail:
            return .move(.fail(try call.takeCase("kind"), duration: try duration(&call, default: 2)))
        default: throw .methodNotImplemented(call.method)
        }
    }

    private func pose(_ call: inout Call, _ name: String, _ natural: Edge) throws(ErrorReply) -> DeviceOrientation {
        guard let pose = DeviceOrientation(try call.take(name) as String), pose != .unknown else {
            throw .invalidParameter(name)
        }
        // The simulated device has the names of a tall panel.
        return pose.renamed(from: natural, to: .portrait)
    }

    private func duration(_ call: inout Call, default usual: Double) throws(ErrorReply) -> Double {
        let duration = try call.takeOptional("duration") ?? usual
        guard SimulatorInterface.durations.contains(duration) else { throw .invalidParameter("duration") }
        return duration
    }

    func handle(_ request: Request, from caller: Caller, _ context: CallContext) -> [Effect] {
        effects(of: request) + [.reply(caller.client, EncodedMessage(reply: [:]))]
    }

    private func effects(of request: Request) -> [Effect] {
        switch request {
        case .setTabletMode(let isTablet): return [.raise(.tabletSwitchChanged(isTablet))]
        // The udev event of a hinge sensor that appears with the first fold.
        case .move(.fold(let angle)): return [.moveSimulatedDevice(.fold(to: angle)), .raise(.devicesChanged)]
        case .move(.fail(let kind, let duration)):
            // The udev events of a sensor that is disconnected and connected again.
            let restore: [Effect] = kind == .gone ? [.setTimer(.simulatedReturn, after: duration)] : []
            return [.moveSimulatedDevice(.fail(kind, duration: duration)), .raise(.devicesChanged)] + restore
        case .move(let move): return [.moveSimulatedDevice(move)]
        }
    }
}

extension Call {
    fileprivate mutating func takeNumber(_ name: String, in range: ClosedRange<Double>) throws(ErrorReply) -> Double {
        let value: Double = try take(name)
        guard range.contains(value) else { throw .invalidParameter(name) }
        return value
    }
}
