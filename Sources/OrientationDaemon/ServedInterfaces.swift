// SPDX-License-Identifier: Apache-2.0

internal import OrientationWire
internal import Sensing
internal import Systemd
internal import Varlink

/// The interfaces that are served, each described to clients and with what answers its calls.
struct ServedInterfaces {
    let orientation: OrientationCalls
    let motion: MotionCalls
    private let control: ControlCalls
    /// What answers the calls of each.
    let all: [any InterfaceCalls]
    /// Answers what belongs to no interface in particular.
    let service: Service

    /// `device` is the one that clients may move, if there is one.
    init(
        _ orientation: OrientationCalls, _ motion: MotionCalls, _ control: ControlCalls, moving device: SimulatedDevice?
    ) throws {
        self.orientation = orientation
        self.motion = motion
        self.control = control
        all = [orientation, motion, control] + (device.map { [SimulatorCalls(device: $0)] } ?? [])
        let descriptions = [
            try OrientationInterface.description(), try MotionInterface.description(),
            try ControlInterface.description(),
        ]
        service = Service(
            .init(
                vendor: "orientationd", product: "orientationd", version: Version.current, url: "man:orientationd(8)"),
            interfaces: descriptions + (device == nil ? [] : [try SimulatorInterface.description()]))
    }

    /// Lets those who answer reach the clients, as long as there are any; `mayFollowMotion` says who may see more than the
    /// orientation.
    func connect(
        to clients: @escaping @MainActor () -> ClientTable?,
        mayFollowMotion: @escaping @MainActor (ClientSession) -> Bool
    ) {
        orientation.serve = { clients()?.serve($0) }
        orientation.tell = { clients()?.tell($0, $1) }
        orientation.tellAll = { clients()?.tell($0, $1, sequence: $2) }
        orientation.mayFollowMotion = mayFollowMotion
        motion.tell = orientation.tell
        control.serve = orientation.serve
        control.sessions = { clients().map { Array($0.sessions.values) } ?? [] }
    }
}
