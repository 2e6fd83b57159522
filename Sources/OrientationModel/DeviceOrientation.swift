// SPDX-License-Identifier: Apache-2.0

/// How the hardware is held: one of four edges up, one of two faces up, or not known.
///
/// The names and raw values are those of UIKit's `UIDeviceOrientation`. In text, on the wire and in recordings a case
/// is written by its name.
public enum DeviceOrientation: Int, CaseIterable, Sendable {
    /// Nothing is known: no reading yet, or the sensor failed.
    case unknown = 0
    /// The top edge is up: a still device reads y = +g.
    case portrait = 1
    /// The bottom edge is up: y = −g.
    case portraitUpsideDown = 2
    /// The top edge points left, so the right edge is up: x = +g.
    case landscapeLeft = 3
    /// The top edge points right, so the left edge is up: x = −g.
    case landscapeRight = 4
    /// The screen looks up: z = +g.
    case faceUp = 5
    /// The screen looks down: z = −g.
    case faceDown = 6

    /// The top or the bottom edge is up.
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }

    /// The left or the right edge is up.
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }

    /// The device lies on its back or on its screen.
    public var isFlat: Bool { self == .faceUp || self == .faceDown }

    /// One of the four edges is up, so that an interface can follow.
    public var isValidInterfaceOrientation: Bool { isPortrait || isLandscape }
}

/// One of the four edges is up. What an interface can turn to.
public enum Edge: Int, CaseIterable, Sendable {
    /// The top edge is up.
    case portrait = 1
    /// The bottom edge is up.
    case portraitUpsideDown = 2
    /// The right edge is up.
    case landscapeLeft = 3
    /// The left edge is up.
    case landscapeRight = 4

    /// The edge that is up in this orientation; nil for the two faces and for unknown.
    public init?(_ orientation: DeviceOrientation) {
        self.init(rawValue: orientation.rawValue)
    }
}

extension DeviceOrientation {
    /// The orientation in which this edge is up.
    public init(_ edge: Edge) {
        switch edge {
        case .portrait: self = .portrait
        case .portraitUpsideDown: self = .portraitUpsideDown
        case .landscapeLeft: self = .landscapeLeft
        case .landscapeRight: self = .landscapeRight
        }
    }
}

extension DeviceOrientation: NamedCase {
    /// The name by which this orientation is written, on the wire too.
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
    /// The name by which this edge is written: that of the orientation in which it is up.
    public var description: String { DeviceOrientation(self).description }
}
