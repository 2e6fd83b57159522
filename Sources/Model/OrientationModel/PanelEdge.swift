// SPDX-License-Identifier: Apache-2.0

/// An edge of the panel: of its unrotated picture. The raw value is the number of the `wl_output` transform that draws the
/// picture upright while this edge is up.
///
/// The *natural orientation* of a device is the name of the pose in which the panel's top edge is up and the picture
/// needs no rotation: `portrait` for a tall panel, `landscapeLeft` for a wide one. It gives the other three poses their
/// names as well:
///
///     Edge(.left, natural: .portrait)         // landscapeRight
///     Edge(.left, natural: .landscapeLeft)    // portrait
public enum PanelEdge: Int, CaseIterable, Sendable {
    /// The top of the unrotated picture: at rest y = +g.
    case top = 0
    /// The left side of the unrotated picture: at rest x = −g.
    case left = 1
    /// The bottom of the unrotated picture: at rest y = −g.
    case bottom = 2
    /// The right side of the unrotated picture: at rest x = +g.
    case right = 3

    /// Creates the panel edge that is up in a pose, on a device with a natural orientation.
    public init(_ edge: Edge, natural: Edge) {
        self = Self.allCases[(edge.clockwiseTurns - natural.clockwiseTurns + 4) % 4]
    }

    /// Creates the panel edge that is up while the picture is rotated by 0, 90, 180 or 270 degrees, counter-clockwise;
    /// nil for another angle.
    public init?(rotation: Int) {
        guard rotation % 90 == 0 else { return nil }
        self.init(rawValue: rotation / 90)
    }

    /// The degrees by which the picture must be rotated on the panel while this edge is up, counter-clockwise: 0, 90, 180
    /// or 270.
    public var rotation: Int { rawValue * 90 }

    /// The number of the `wl_output` transform that draws the picture upright.
    public var waylandTransform: Int { rawValue }

    /// The word of `xrandr --rotate` that draws the picture upright.
    public var xrandrName: String {
        switch self {
        case .top: "normal"
        case .left: "left"
        case .bottom: "inverted"
        case .right: "right"
        }
    }

    /// The word of `AccelerometerOrientation` of `net.hadess.SensorProxy`.
    public var sensorProxyName: String {
        switch self {
        case .top: "normal"
        case .left: "left-up"
        case .bottom: "bottom-up"
        case .right: "right-up"
        }
    }
}

extension PanelEdge {
    /// Returns the edge among `edges` that needs the least turn of the picture from this one, of two the counter-clockwise
    /// turn; nil if there is none.
    package func nearest(among edges: [PanelEdge]) -> PanelEdge? {
        [0, 1, 3, 2].map { Self.allCases[(rawValue + $0) % 4] }.first(where: edges.contains)
    }
}

extension PanelEdge: NamedCase {
    /// The name: `top`, `left`, `bottom` or `right`.
    public var description: String {
        switch self {
        case .top: "top"
        case .left: "left"
        case .bottom: "bottom"
        case .right: "right"
        }
    }
}

/// The shape of a panel's unrotated picture.
public enum PanelShape: Sendable, CaseIterable {
    /// At least as tall as it is wide.
    case tall
    /// Wider than high.
    case wide

    /// Creates the shape of a panel from the size of its unrotated picture, in any unit.
    public init(width: Double, height: Double) {
        self = width > height ? .wide : .tall
    }

    /// Creates the shape of a panel with this natural orientation.
    public init(natural: Edge) {
        self = DeviceOrientation(natural).isLandscape ? .wide : .tall
    }

    /// The natural orientation of a device with such a panel.
    public var natural: Edge {
        switch self {
        case .tall: .portrait
        case .wide: .landscapeLeft
        }
    }
}

package struct NaturalOrientationError: Error, Hashable, CustomStringConvertible {
    package let text: String

    package var description: String {
        "invalid value '\(text.shortened)': must be \(SensorProperty.naturalOrientation.validValues)"
    }
}

extension String {
    /// The text for a message, cut off after 100 bytes: damaged text may fill a page. A matrix with six decimals is shorter.
    package var shortened: String {
        utf8.count > 100 ? String(decoding: utf8.prefix(100), as: UTF8.self) + "..." : self
    }
}

extension Edge {
    /// Parses the natural orientation of an option, a udev property or a file: a tall or a wide panel's.
    package init(naturalOrientation text: String) throws(NaturalOrientationError) {
        guard let edge = Edge(text), PanelShape.allCases.contains(where: { $0.natural == edge }) else {
            throw NaturalOrientationError(text: text)
        }
        self = edge
    }

    /// Creates the name of the pose in which a panel edge is up, on a device with a natural orientation.
    public init(_ panelEdge: PanelEdge, natural: Edge) {
        self = Self.clockwise[(panelEdge.rawValue + natural.clockwiseTurns) % 4]
    }

    /// Returns the name of the same pose on a device with another natural orientation.
    package func renamed(from old: Edge, to new: Edge) -> Edge {
        Edge(PanelEdge(self, natural: old), natural: new)
    }

    /// The poses through which a device passes while it is turned clockwise.
    private static let clockwise: [Edge] = [.portrait, .landscapeRight, .portraitUpsideDown, .landscapeLeft]

    /// Quarter turns from portrait, clockwise.
    fileprivate var clockwiseTurns: Int { Self.clockwise.firstIndex(of: self) ?? 0 }
}

extension DeviceOrientation {
    /// Returns the name of the same pose on a device with another natural orientation; faces and unknown keep theirs.
    package func renamed(from old: Edge, to new: Edge) -> DeviceOrientation {
        guard let edge = Edge(self) else { return self }
        return DeviceOrientation(edge.renamed(from: old, to: new))
    }
}
