// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import OrientationWire
internal import Sensing
internal import Varlink

/// Answers `org.orientationd.Simulator`: moves the simulated device.
final class SimulatorCalls: InterfaceCalls {
    let interface = SimulatorInterface.name
    private let device: SimulatedDevice

    /// What a duration may be, in seconds.
    private static let durations = 0.0...3_600.0
    /// The largest component of an acceleration, in m/s²: beyond what any chip measures.
    private static let largestAcceleration = 1_000.0

    init(device: SimulatedDevice) {
        self.device = device
    }

    func requirement(for call: Call) -> Authority.Requirement? { .trusted }

    func answer(_ call: Call, _ session: ClientSession) {
        do throws(ErrorReply) {
            device.move(try move(call), at: BootClock.now())
            session.send(EncodedMessage(reply: [:]))
        } catch {
            session.send(EncodedMessage(error: error))
        }
    }

    private func move(_ call: Call) throws(ErrorReply) -> SimulatedDevice.Move {
        let parameters = call.parameters
        switch call.method {
        case SimulatorInterface.setPose: return .hold(try pose(parameters, "pose"))
        case SimulatorInterface.turn:
            return .turn(to: try pose(parameters, "to"), duration: try duration(parameters, default: 0.4))
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

    private func pose(_ parameters: JSONObject, _ key: String) throws(ErrorReply) -> DeviceOrientation {
        let name: String? = try? parameters.value(key)
        guard let pose = name.flatMap({ DeviceOrientation($0) }), pose != .unknown else {
            throw .invalidParameter(key)
        }
        return pose
    }

    private func duration(_ parameters: JSONObject, default usual: Double) throws(ErrorReply) -> Double {
        // That it is a number, if it is there, was checked against the description.
        guard let duration: Double = try? parameters.optionalValue("duration") else { return usual }
        guard Self.durations.contains(duration) else { throw .invalidParameter("duration") }
        return duration
    }

    private func component(_ parameters: JSONObject, _ key: String) throws(ErrorReply) -> Double {
        guard let value: Double = try? parameters.value(key), value.magnitude <= Self.largestAcceleration else {
            throw .invalidParameter(key)
        }
        return value
    }
}
