// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// What a word of `lock` and `simulate` means.
enum PoseWord: Equatable {
    /// The edge that is up now, which only the daemon knows.
    case here
    /// A pose, which the natural orientation does not change.
    case pose(DeviceOrientation)
    /// An edge of the unrotated picture that is up, whose pose is named by the natural orientation.
    case panel(PanelEdge)

    /// Returns the pose, unknown for ``here``; `natural` returns the natural orientation of the device.
    func pose(natural: () throws -> Edge) rethrows -> DeviceOrientation {
        switch self {
        case .here: .unknown
        case .pose(let pose): pose
        case .panel(let edge): DeviceOrientation(Edge(edge, natural: try natural()))
        }
    }
}

extension WordList<PoseWord> {
    private static var edges: [Entry] {
        [(OrientationWord.natural.rawValue, .panel(.top))]
            + OrientationWord.poses.map { ($0.rawValue, .pose(DeviceOrientation($0.edges(natural: .portrait)[0]))) }
            + PanelEdge.allCases.map { ($0.description, .panel($0)) }
    }

    private static var sensorProxyNames: [Entry] { PanelEdge.allCases.map { ($0.sensorProxyName, .panel($0)) } }

    /// The words for an edge that `lock` keeps up: here, natural, W3C's and edges; also iio-sensor-proxy's, and
    /// the name of UIKit's that means the same for a pose and for an interface.
    static var places: Self {
        let upsideDown = DeviceOrientation.portraitUpsideDown
        return Self(
            [("here", .here)] + edges,
            others: sensorProxyNames + [(upsideDown.description, .pose(upsideDown))])
    }

    /// The poses of `simulate`: UIKit's names of poses, and the words of ``places``.
    static var poses: Self {
        Self(
            DeviceOrientation.allCases.filter { $0 != .unknown }.map { ($0.description, .pose($0)) } + edges,
            others: sensorProxyNames)
    }
}
