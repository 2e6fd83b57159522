// SPDX-License-Identifier: Apache-2.0

public import OrientationModel

/// The orientation of the content relative to the device.
///
/// Names and raw values as in UIKit's `UIInterfaceOrientation`. Content rotates against the device, so the
/// two landscapes are swapped: while the device is in `landscapeLeft`, the upright interface is in ``landscapeRight``,
/// and both have the raw value 3.
///
/// A device that is turned clockwise from portrait takes the interface through portrait, landscapeLeft,
/// portraitUpsideDown and landscapeRight. The edge of the panel that each has at its top depends on the panel's shape:
/// see `Screen`.
public enum InterfaceOrientation: Int, Sendable {
    /// Not drawn, or no preference.
    case unknown = 0
    /// Upright while the device is in `portrait`.
    case portrait = 1
    /// Upright while the device is in `portraitUpsideDown`.
    case portraitUpsideDown = 2
    /// Upright while the device is in `landscapeLeft`.
    case landscapeRight = 3
    /// Upright while the device is in `landscapeRight`.
    case landscapeLeft = 4

    /// Upright or upside down.
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }

    /// One of the two sides.
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
}

extension InterfaceOrientation {
    /// The interface orientation that is upright in this device orientation; nil for `faceUp`, `faceDown` and
    /// `unknown`.
    public init?(_ device: DeviceOrientation) {
        guard let edge = Edge(device) else { return nil }
        self.init(edge)
    }

    /// The interface orientation that is upright while this edge is up.
    public init(_ edge: Edge) {
        switch edge {
        case .portrait: self = .portrait
        case .portraitUpsideDown: self = .portraitUpsideDown
        case .landscapeLeft: self = .landscapeRight
        case .landscapeRight: self = .landscapeLeft
        }
    }

    /// The edge that is up when this interface orientation is upright; nil for unknown.
    public var edge: Edge? {
        switch self {
        case .unknown: nil
        case .portrait: .portrait
        case .portraitUpsideDown: .portraitUpsideDown
        case .landscapeRight: .landscapeLeft
        case .landscapeLeft: .landscapeRight
        }
    }
}

extension DeviceOrientation {
    /// The device orientation in which this interface orientation is upright; nil for unknown.
    public init?(_ interface: InterfaceOrientation) {
        guard let edge = interface.edge else { return nil }
        self.init(edge)
    }
}

extension InterfaceOrientation: NamedCase {
    /// The name by which this orientation is written, in a `.desktop` file too.
    public var description: String {
        switch self {
        case .unknown: "unknown"
        case .portrait: "portrait"
        case .portraitUpsideDown: "portraitUpsideDown"
        case .landscapeRight: "landscapeRight"
        case .landscapeLeft: "landscapeLeft"
        }
    }
}
