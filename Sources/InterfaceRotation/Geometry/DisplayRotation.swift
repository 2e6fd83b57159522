// SPDX-License-Identifier: Apache-2.0

public import OrientationModel

/// A rotation of the content on an upright panel, with its names in this library, in compositors, in X11 and in the
/// SensorProxy service.
public struct DisplayRotation: Hashable, Sendable {
    /// The interface orientation.
    public let interface: InterfaceOrientation
    /// The edge of the device that is up.
    public let edge: Edge
    /// The number of `wl_output.transform`; times 90° it is the counter-clockwise angle of the content.
    public let wayland: Int
    /// The word of `xrandr --rotate`.
    public let xrandr: String
    /// The word of `net.hadess.SensorProxy`'s `AccelerometerOrientation`.
    public let sensorProxy: String

    /// All rotations, in the order of the `wl_output` numbers.
    public static let table = PanelEdge.allCases.map(DisplayRotation.init(panelEdge:))

    /// The rotation for an interface orientation; that of portrait for `unknown`.
    public init(_ interface: InterfaceOrientation) {
        self = Self.table.first { $0.interface == interface } ?? Self.table[0]
    }

    /// The rotation of a `wl_output` transform, 0 to 3. Flipped outputs (4 to 7) are an error: an interface is never
    /// drawn mirrored.
    public init(waylandTransform number: Int) throws(DisplayRotationError) {
        switch number {
        case 0...3: self = Self.table[number]
        case 4...7: throw .flipped(number)
        default: throw .unknownTransform(number)
        }
    }

    /// The rotation of a word of `xrandr --rotate`.
    public init(xrandr word: String) throws(DisplayRotationError) {
        guard let rotation = Self.table.first(where: { $0.xrandr == word }) else { throw .unknownWord(word) }
        self = rotation
    }

    /// The rotation of a word of the SensorProxy service.
    public init(sensorProxy word: String) throws(DisplayRotationError) {
        guard let rotation = Self.table.first(where: { $0.sensorProxy == word }) else { throw .unknownWord(word) }
        self = rotation
    }

    /// The rotation for the panel edge that is up.
    init(panelEdge: PanelEdge) {
        edge = Edge(panelEdge, natural: .portrait)
        interface = InterfaceOrientation(edge)
        wayland = panelEdge.waylandTransform
        xrandr = panelEdge.xrandrName
        sensorProxy = panelEdge.sensorProxyName
    }

    /// The content's angle on an upright panel in degrees; clockwise is positive.
    public var angle: Double { interface.angle }

    /// Composes this rotation, applied first, with the other. A drawn picture is the interface composed with the panel.
    public func composed(with other: DisplayRotation) -> DisplayRotation {
        Self.table[(wayland + other.wayland) % 4]
    }

    /// The inverse rotation.
    public var inverse: DisplayRotation { Self.table[(4 - wayland) % 4] }
}

/// How a panel is mounted in its device, by the side that is up: the kernel's `panel orientation` property.
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
        case .normal: DisplayRotation(.portrait)
        case .leftSideUp: DisplayRotation(.landscapeLeft)
        case .upsideDown: DisplayRotation(.portraitUpsideDown)
        case .rightSideUp: DisplayRotation(.landscapeRight)
        }
    }
}

/// A name or number that is no rotation.
public enum DisplayRotationError: Error, Hashable, CustomStringConvertible {
    /// The output is mirrored.
    case flipped(Int)
    /// No `wl_output` transform has this number.
    case unknownTransform(Int)
    /// Neither `xrandr` nor the SensorProxy service has this word.
    case unknownWord(String)

    /// What to change, for a person.
    public var description: String {
        switch self {
        case .flipped(let number):
            "wl_output transform \(number) is mirrored, and an interface is never drawn mirrored; "
                + "set the output to one of 0 (normal), 1 (90), 2 (180) or 3 (270)"
        case .unknownTransform(let number):
            "there is no wl_output transform \(number); pass one of 0 (normal), 1 (90), 2 (180) or 3 (270)"
        case .unknownWord(let word):
            "'\(word)' names no rotation; xrandr knows normal, left, inverted and right, "
                + "the sensor proxy normal, left-up, bottom-up and right-up"
        }
    }
}
