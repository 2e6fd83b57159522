// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import OrientationWire

/// The edges that a hold allows.
typealias HeldEdges = (id: Int, edges: [PanelEdge])

/// What desktops receive from the SensorProxy service.
struct Desktops: Equatable {
    /// By user, for users with holds at the device.
    var views: [UInt32: DesktopView] = [:]
    /// Why the service reaches no desktop; nil if it reaches some, as far as is known.
    var outage: Outage?

    enum Outage: Equatable {
        /// Another program owns the name.
        case otherProgram
        case unreachable(String)

        /// The reason in sentences.
        var reason: String {
            switch self {
            case .otherProgram:
                "another program owns \(SensorProxyBus.name); desktops receive the orientation of the device from it, "
                    + "and use orientationd once it exits"
            case .unreachable(let cause): "no desktop can follow the device: \(cause)"
            }
        }

        /// What keeps displays from following the device.
        var obstacle: ObstacleKind? { self == .otherProgram ? nil : .output }
    }

    func outcome(of hold: Int, by user: UInt32) -> DesktopView.Outcome {
        guard let view = views[user] else { return .suspended }
        return outage.map { .notServed($0) } ?? view.outcome(of: hold)
    }
}

/// What the desktops of a user with holds receive from the SensorProxy service.
struct DesktopView: Equatable {
    /// Whether a program of this user has claimed the accelerometer.
    let isClaimed: Bool
    /// The edge of the device; nil if unknown.
    let device: PanelEdge?
    /// The edge that the user's programs receive; nil without an accelerometer.
    let shown: PanelEdge?
    /// The edges that the holds in force allow, and these holds.
    private(set) var allowed = PanelEdge.allCases
    private(set) var inForce: Set<Int> = []

    /// Decides with holds, oldest first. The newest one is in force; an older one, if it has an edge in common with the newer
    /// ones in force. An unknown edge of the device counts as the top one, at which desktops start.
    init(_ holds: [HeldEdges], device: PanelEdge?, hasSensor: Bool, isClaimed: Bool) {
        for hold in holds.reversed() where allowed.contains(where: hold.edges.contains) {
            allowed = allowed.filter(hold.edges.contains)
            inForce.insert(hold.id)
        }
        shown = hasSensor ? (device ?? .top).nearest(among: allowed) : nil
        (self.isClaimed, self.device) = (isClaimed, device)
    }

    /// The effect of a hold on the desktops of its user.
    enum Outcome {
        /// The user has no active session at the device.
        case suspended
        case notServed(Desktops.Outage)
        case noSensor
        /// No program of the user has claimed the accelerometer.
        case unclaimed
        /// A later hold allows none of its orientations.
        case outranked(shown: PanelEdge)
        case inForce(device: PanelEdge?, shown: PanelEdge)

        /// The edge that the desktops receive; nil if they receive none.
        var shown: PanelEdge? {
            switch self {
            case .outranked(let shown), .inForce(_, let shown): shown
            case .suspended, .notServed, .noSensor, .unclaimed: nil
            }
        }
    }

    /// Returns the effect of a hold of this user while the service reaches desktops.
    func outcome(of hold: Int) -> Outcome {
        guard let shown else { return .noSensor }
        guard isClaimed else { return .unclaimed }
        return inForce.contains(hold) ? .inForce(device: device, shown: shown) : .outranked(shown: shown)
    }
}
