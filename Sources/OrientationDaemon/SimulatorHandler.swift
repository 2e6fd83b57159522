// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import OrientationWire
internal import Sensing
internal import Varlink
internal import VarlinkServer

/// The handler of `org.orientationd.Simulator`: moves the simulated device.
struct SimulatorHandler: CallHandler {
    let interface = SimulatorInterface.name

    /// The valid durations, in seconds.
    private static let durations = 0.0...3_600.0
    /// The largest component of an acceleration, in m/s²: beyond the range of any chip.
    private static let largestAcceleration = 1_000.0

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
        let move = try move(call, natural: natural)
        return [.moveSimulatedDevice(move)] + consequences(of: move)
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

    private func component(_ parameters: JSONObject, _ key: String) throws(ErrorReply) -> Double {
        guard let value: Double = try? parameters.value(key), value.magnitude <= Self.largestAcceleration else {
            throw .invalidParameter(key)
        }
        return value
    }
}
