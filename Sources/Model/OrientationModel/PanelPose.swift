// SPDX-License-Identifier: Apache-2.0

/// How a device is held, in terms of its panel: the edge or the face that is up. ``DeviceOrientation`` has the names by
/// the natural orientation.
package enum PanelPose: Hashable, Sendable {
    case edge(PanelEdge)
    case faceUp
    case faceDown

    /// The edge that is up; nil for a face.
    package var edge: PanelEdge? {
        if case .edge(let edge) = self { edge } else { nil }
    }

    /// Creates the pose of an orientation on a device with this natural orientation; nil for unknown.
    package init?(_ orientation: DeviceOrientation, natural: Edge) {
        switch orientation {
        case .unknown: return nil
        case .faceUp: self = .faceUp
        case .faceDown: self = .faceDown
        case .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight:
            guard let edge = Edge(orientation) else { return nil }
            self = .edge(PanelEdge(edge, natural: natural))
        }
    }

    /// The direction of specific force at rest: the device axis that points up, of length 1.
    package var direction: Acceleration {
        switch self {
        case .edge(.top): Acceleration(x: 0, y: 1, z: 0)
        case .edge(.left): Acceleration(x: -1, y: 0, z: 0)
        case .edge(.bottom): Acceleration(x: 0, y: -1, z: 0)
        case .edge(.right): Acceleration(x: 1, y: 0, z: 0)
        case .faceUp: Acceleration(x: 0, y: 0, z: 1)
        case .faceDown: Acceleration(x: 0, y: 0, z: -1)
        }
    }
}

extension PanelPose: CustomStringConvertible {
    package var description: String {
        switch self {
        case .edge(let edge): "\(edge) edge of the panel up"
        case .faceUp: "faceUp"
        case .faceDown: "faceDown"
        }
    }
}

extension DeviceOrientation {
    /// Creates the name of a pose on a device with this natural orientation; nil is unknown.
    package init(_ pose: PanelPose?, natural: Edge) {
        switch pose {
        case nil: self = .unknown
        case .edge(let edge): self.init(Edge(edge, natural: natural))
        case .faceUp: self = .faceUp
        case .faceDown: self = .faceDown
        }
    }

    /// The direction of specific force at rest in this orientation on a tall panel: the device axis that points up, of
    /// length 1; nil for `unknown`.
    package var direction: Acceleration? { PanelPose(self, natural: .portrait)?.direction }
}
