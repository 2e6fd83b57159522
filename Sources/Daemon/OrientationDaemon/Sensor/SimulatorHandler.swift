// SPDX-License-Identifier: Apache-2.0

internal import Sensors
internal import OrientationModel
internal import OrientationWire
internal import Varlink
internal import VarlinkServer

/// The handler of `org.orientationd.Simulator`: moves the simulated device.
struct SimulatorHandler: CallHandler {
    let interface = SimulatorInterface.name
    /// The names of the sensors that the device has.
    private let sensors: Set<String>

    /// The valid durations, in seconds.
    private static let durations = 0.0...3_600.0
    /// The largest component of an acceleration, in m/s²: beyond the range of any chip.
    private static let largestAcceleration = 1_000.0
    /// The brightest light, in lux: direct sunlight has about 100,000.
    private static let brightestLight = 200_000.0

    init(sensors: Set<String>) {
        self.sensors = sensors
    }

    func requirement(for call: Call) -> Authority.Requirement? { .trusted }

    func handle(_ call: Call, from caller: Caller, _ context: CallContext) -> [Effect] {
        do throws(ErrorReply) {
            return try effects(of: call, natural: context.state.natural)
                + [.reply(caller.client, EncodedMessage(reply: [:]))]
        } catch {
            return [.reply(caller.client, EncodedMessage(error: error))]
        }
    }

    private func effects(of call: Call, natural: Edge) throws(ErrorReply) -> [Effect] {
        if call.method == SimulatorInterface.setTabletMode {
            guard let isTablet: Bool = try? call.parameters.value("tabletMode") else {
                throw .invalidParameter("tabletMode")
            }
            return [.raise(.tabletMode(isTablet))]
        }
        if let reading = try ambientReading(call) {
            try check(reading.kind.rawValue)
            return [.setAmbientReading(reading)]
        }
        let move = try move(call, natural: natural)
        // A failure is one of all sensors.
        if call.method != SimulatorInterface.fail { try check(FakeSource.accelerometer) }
        return [.moveSimulatedDevice(move)] + consequences(of: move)
    }

    /// Throws if the device does not have a sensor.
    private func check(_ sensor: String) throws(ErrorReply) {
        guard sensors.contains(sensor) else { throw .noSensor(sensor) }
    }

    /// Parses a reading of a simulated ambient sensor; nil for another method.
    private func ambientReading(_ call: Call) throws(ErrorReply) -> AmbientReading? {
        let parameters = call.parameters
        switch call.method {
        case SimulatorInterface.setLight:
            return .light(try number(parameters, "level", in: 0...Self.brightestLight), .lux)
        case SimulatorInterface.setProximity:
            guard let isNear: Bool = try? parameters.value("near") else { throw .invalidParameter("near") }
            return .proximity(isNear: isNear)
        case SimulatorInterface.setHeading: return .compass(try number(parameters, "heading", in: 0...360))
        default: return nil
        }
    }

    /// The udev events of a sensor that is disconnected and connected again.
    private func consequences(of move: SimulatedDevice.Move) -> [Effect] {
        guard case .fail(let kind, let duration) = move else { return [] }
        return [.raise(.devicesChanged)] + (kind == .gone ? [.setTimer(.simulatedReturn, after: duration)] : [])
    }

    /// Parses a move. Poses have their names on a device with this natural orientation.
    private func move(_ call: Call, natural: Edge) throws(ErrorReply) -> SimulatedDevice.Move {
        let parameters = call.parameters
        switch call.method {
        case SimulatorInterface.setPose: return .hold(try pose(parameters, "pose", natural))
        case SimulatorInterface.turn:
            return .turn(to: try pose(parameters, "to", natural), duration: try duration(parameters, default: 0.4))
        case SimulatorInterface.shake: return .shake(duration: try duration(parameters, default: 1))
        case SimulatorInterface.setAcceleration:
            return .read(
                Acceleration(
                    x: try component(parameters, "x"), y: try component(parameters, "y"),
                    z: try component(parameters, "z")))
        case SimulatorInterface.fail:
            let name: String? = try? parameters.value("kind")
            guard let kind = name.flatMap(SimulatedDevice.Failure.init(rawValue:)) else {
                throw .invalidParameter("kind")
            }
            return .fail(kind, duration: try duration(parameters, default: 2))
        default: throw .methodNotImplemented(call.method)
        }
    }

    private func pose(
        _ parameters: JSONObject, _ key: String, _ natural: Edge
    ) throws(ErrorReply) -> DeviceOrientation {
        let name: String? = try? parameters.value(key)
        guard let pose = name.flatMap({ DeviceOrientation($0) }), pose != .unknown else {
            throw .invalidParameter(key)
        }
        // The simulated device has the names of a tall panel.
        return pose.renamed(from: natural, to: .portrait)
    }

    private func duration(_ parameters: JSONObject, default usual: Double) throws(ErrorReply) -> Double {
        // The type was checked against the description.
        guard let duration: Double = try? parameters.optionalValue("duration") else { return usual }
        guard Self.durations.contains(duration) else { throw .invalidParameter("duration") }
        return duration
    }

    private func number(
        _ parameters: JSONObject, _ key: String, in range: ClosedRange<Double>
    ) throws(ErrorReply) -> Double {
        guard let value: Double = try? parameters.value(key), range.contains(value) else {
            throw .invalidParameter(key)
        }
        return value
    }

    private func component(_ parameters: JSONObject, _ key: String) throws(ErrorReply) -> Double {
        guard let value: Double = try? parameters.value(key), value.magnitude <= Self.largestAcceleration else {
            throw .invalidParameter(key)
        }
        return value
    }
}
