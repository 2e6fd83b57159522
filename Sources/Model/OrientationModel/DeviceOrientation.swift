// SPDX-License-Identifier: Apache-2.0

/// The orientation of the hardware: one of four edges or two faces up, or unknown.
///
/// Names and raw values as in UIKit's `UIDeviceOrientation`. Text, the wire format and recordings use the names.
///
/// The edges and axes below are those on a tall panel. On a wide one the pose with the panel's top edge up is
/// `landscapeLeft`; see ``PanelEdge``.
public enum DeviceOrientation: Int, CaseIterable, Sendable {
    /// Unknown: no reading yet, or the sensor failed.
    case unknown = 0
    /// The top edge is up: at rest y = +g.
    case portrait = 1
    /// The bottom edge is up: y = −g.
    case portraitUpsideDown = 2
    /// The top edge points left, so the right edge is up: x = +g.
    case landscapeLeft = 3
    /// The top edge points right, so the left edge is up: x = −g.
    case landscapeRight = 4
    /// The screen faces up: z = +g.
    case faceUp = 5
    /// The screen faces down: z = −g.
    case faceDown = 6

    /// Whether the top or the bottom edge is up.
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }

    /// Whether the left or the right edge is up.
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }

    /// Whether the device lies on its back or on its screen.
    public var isFlat: Bool { self == .faceUp || self == .faceDown }

    /// Whether one of the four edges is up: an interface can rotate to it.
    public var isValidInterfaceOrientation: Bool { isPortrait || isLandscape }
}

/// An edge that points up: the orientations that an interface can rotate to. The edges below are those on a tall panel;
/// see ``PanelEdge``.
public enum Edge: Int, CaseIterable, Sendable {
    /// The top edge is up.
    case portrait = 1
    /// The bottom edge is up.
    case portraitUpsideDown = 2
    /// The right edge is up.
    case landscapeLeft = 3
    /// The left edge is up.
    case landscapeRight = 4

    /// Creates the edge that is up in an orientation; nil for the two faces and unknown.
    public init?(_ orientation: DeviceOrientation) {
        self.init(rawValue: orientation.rawValue)
    }
}

extension DeviceOrientation {
    /// Creates the orientation in which this edge is up.
    public init(_ edge: Edge) { self = Self(rawValue: edge.rawValue) ?? .unknown }
}

extension DeviceOrientation: NamedCase {
    /// The name, as in the wire format.
    public var description: String {
        switch self {
        case .unknown: "unknown"
        case .portrait: "portrait"
        case .portraitUpsideDown: "portraitUpsideDown"
        case .landscapeLeft: "landscapeLeft"
        case .landscapeRight: "landscapeRight"
        case .faceUp: "faceUp"
        case .faceDown: "faceDown"
        }
    }
}

extension Edge: NamedCase {
    /// The name of the orientation in which this edge is up.
    public var description: String { DeviceOrientation(self).description }
}
