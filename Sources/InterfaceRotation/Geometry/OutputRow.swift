// SPDX-License-Identifier: Apache-2.0

public import OrientationModel

/// One row of the table between what this library calls an orientation and what compositors, X11 and the sensor proxy
/// call it. Each row is a rotation of the content on an upright panel.
public struct OutputRow: Hashable, Sendable {
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

    /// The whole table, in the order of the `wl_output` numbers.
    public static let table = [
        OutputRow(
            interface: .portrait, edge: .portrait, wayland: 0, xrandr: "normal", sensorProxy: "normal"),
        OutputRow(
            interface: .landscapeLeft, edge: .landscapeRight, wayland: 1, xrandr: "left",
            sensorProxy: "left-up"),
        OutputRow(
            interface: .portraitUpsideDown, edge: .portraitUpsideDown, wayland: 2, xrandr: "inverted",
            sensorProxy: "bottom-up"),
        OutputRow(
            interface: .landscapeRight, edge: .landscapeLeft, wayland: 3, xrandr: "right",
            sensorProxy: "right-up"),
    ]

    /// The row of an interface orientation; that of portrait for `unknown`.
    public init(_ interface: InterfaceOrientation) {
        self = Self.table.first { $0.interface == interface } ?? Self.table[0]
    }

    /// The row of a `wl_output` transform: 0 to 3. A flipped output (4 to 7) has no row, and guessing one would show
    /// the picture mirrored.
    public init(waylandTransform number: Int) throws(OutputRowError) {
        switch number {
        case 0...3: self = Self.table[number]
        case 4...7: throw .flipped(number)
        default: throw .unknownTransform(number)
        }
    }

    /// The row of a word of `xrandr --rotate`.
    public init(xrandr word: String) throws(OutputRowError) {
        guard let row = Self.table.first(where: { $0.xrandr == word }) else { throw .unknownWord(word) }
        self = row
    }

    /// The row of a word of the sensor proxy.
    public init(sensorProxy word: String) throws(OutputRowError) {
        guard let row = Self.table.first(where: { $0.sensorProxy == word }) else { throw .unknownWord(word) }
        self = row
    }

    init(interface: InterfaceOrientation, edge: Edge, wayland: Int, xrandr: String, sensorProxy: String) {
        self.interface = interface
        self.edge = edge
        self.wayland = wayland
        self.xrandr = xrandr
        self.sensorProxy = sensorProxy
    }

    /// The content's angle on an upright panel in degrees; clockwise is positive.
    public var angle: Double { interface.angle }

    /// This rotation first, then the other. A drawn picture is the interface composed with the panel.
    public func composed(with other: OutputRow) -> OutputRow {
        Self.table[(wayland + other.wayland) % 4]
    }

    /// The rotation that undoes this one.
    public var inverse: OutputRow { Self.table[(4 - wayland) % 4] }
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
    public var row: OutputRow {
        switch self {
        case .normal: OutputRow(.portrait)
        case .leftSideUp: OutputRow(.landscapeLeft)
        case .upsideDown: OutputRow(.portraitUpsideDown)
        case .rightSideUp: OutputRow(.landscapeRight)
        }
    }
}

/// Why there is no row for a name or a number.
public enum OutputRowError: Error, Hashable, CustomStringConvertible {
    /// The output is mirrored.
    case flipped(Int)
    /// No `wl_output` transform has this number.
    case unknownTransform(Int)
    /// Neither `xrandr` nor the sensor proxy has this word in this place.
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
