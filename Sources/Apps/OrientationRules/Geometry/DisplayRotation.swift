// SPDX-License-Identifier: Apache-2.0

public import OrientationModel

/// A rotation of the picture on the panel, with its names in compositors, in X11 and in the SensorProxy service.
///
/// The interface orientation that a rotation draws upright depends on the shape of the panel:
///
///     let rotation = try DisplayRotation(waylandTransform: 1)
///     rotation.interface(on: .tall)    // landscapeLeft
///     rotation.interface(on: .wide)    // portrait
public struct DisplayRotation: Hashable, Sendable {
    /// The edge of the panel that is up while the rotated picture is upright.
    public let panelEdge: PanelEdge

    /// All rotations, in the order of the `wl_output` numbers.
    public static let table = PanelEdge.allCases.map(DisplayRotation.init)

    /// Creates the rotation that draws the picture upright while this edge of the panel is up.
    public init(_ panelEdge: PanelEdge) {
        self.panelEdge = panelEdge
    }

    /// Creates the rotation of an interface on a panel of this shape. The natural orientation, and `unknown`, are not
    /// rotated.
    public init(_ interface: InterfaceOrientation, on shape: PanelShape) {
        panelEdge = interface.edge.map { PanelEdge($0, natural: shape.natural) } ?? .top
    }

    /// Creates the rotation of a `wl_output` transform, 0 to 3. Flipped outputs (4 to 7) are an error: an interface is
    /// never drawn mirrored.
    public init(waylandTransform number: Int) throws(DisplayRotationError) {
        guard let panelEdge = PanelEdge(rawValue: number) else {
            throw (4...7).contains(number) ? .flipped(number) : .unknownTransform(number)
        }
        self.panelEdge = panelEdge
    }

    /// Creates the rotation of a word of `xrandr --rotate`.
    public init(xrandr word: String) throws(DisplayRotationError) {
        guard let rotation = Self.table.first(where: { $0.xrandr == word }) else { throw .unknownWord(word) }
        self = rotation
    }

    /// Creates the rotation of a word of the SensorProxy service.
    public init(sensorProxy word: String) throws(DisplayRotationError) {
        guard let rotation = Self.table.first(where: { $0.sensorProxy == word }) else { throw .unknownWord(word) }
        self = rotation
    }

    /// The number of `wl_output.transform`, 0 to 3: counter-clockwise quarter turns of the picture.
    public var wayland: Int { panelEdge.waylandTransform }

    /// The word of `xrandr --rotate`.
    public var xrandr: String { panelEdge.xrandrName }

    /// The word of `AccelerometerOrientation` of `net.hadess.SensorProxy`.
    public var sensorProxy: String { panelEdge.sensorProxyName }

    /// The angle of the picture on the panel in degrees: 0, −90, 180 or 90; clockwise is positive.
    public var angle: Double {
        switch panelEdge {
        case .top: 0
        case .left: -90
        case .bottom: 180
        case .right: 90
        }
    }

    /// Whether the rotation swaps width and height.
    public var swapsSides: Bool { panelEdge == .left || panelEdge == .right }

    /// Returns the interface orientation that this rotation draws upright on a panel of this shape.
    public func interface(on shape: PanelShape) -> InterfaceOrientation {
        InterfaceOrientation(edge(on: shape))
    }

    /// Returns the device orientation in which the rotated picture is upright, on a panel of this shape.
    public func edge(on shape: PanelShape) -> Edge {
        Edge(panelEdge, natural: shape.natural)
    }

    /// Composes this rotation, applied first, with the other. A drawn picture is the interface composed with the panel.
    public func composed(with other: DisplayRotation) -> DisplayRotation {
        Self.table[(wayland + other.wayland) % 4]
    }

    /// The inverse rotation.
    public var inverse: DisplayRotation { Self.table[(4 - wayland) % 4] }
}

extension PanelShape {
    /// The interface orientation that is not rotated on such a panel: portrait on a tall panel, landscapeRight on a
    /// wide one. It is upright while the panel's top edge is up.
    public var naturalInterfaceOrientation: InterfaceOrientation { InterfaceOrientation(natural) }
}

/// The mounting of a panel in its device, named by the side that is up: the kernel's `panel orientation` property.
public enum PanelOrientation: String, CaseIterable, Sendable {
    /// The panel's top is the device's top.
    case normal = "Normal"
    /// The panel's left side is up.
    case leftSideUp = "Left Side Up"
    /// The panel's bottom is up.
    case upsideDown = "Upside Down"
    /// The panel's right side is up.
    case rightSideUp = "Right Side Up"

    /// The rotation that a picture needs to stand upright on this panel.
    public var rotation: DisplayRotation {
        switch self {
        case .normal: DisplayRotation(.top)
        case .leftSideUp: DisplayRotation(.left)
        case .upsideDown: DisplayRotation(.bottom)
        case .rightSideUp: DisplayRotation(.right)
        }
    }
}

/// An invalid name or number of a rotation.
public enum DisplayRotationError: Error, Hashable, CustomStringConvertible {
    /// The output is mirrored.
    case flipped(Int)
    /// No `wl_output` transform has this number.
    case unknownTransform(Int)
    /// Neither `xrandr` nor the SensorProxy service has this word.
    case unknownWord(String)

    /// The cause and the remedy.
    public var description: String {
        switch self {
        case .flipped(let number):
            "wl_output transform \(number): mirrored outputs are not supported; "
                + "set the output to 0 (normal), 1 (90), 2 (180) or 3 (270)"
        case .unknownTransform(let number):
            "wl_output transform \(number): invalid value: must be 0 (normal), 1 (90), 2 (180) or 3 (270)"
        case .unknownWord(let word):
            "rotation '\(word)': invalid value: must be normal, left, inverted or right for xrandr, "
                + "or normal, left-up, bottom-up or right-up for the SensorProxy service"
        }
    }
}
