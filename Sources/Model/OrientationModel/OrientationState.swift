// SPDX-License-Identifier: Apache-2.0

/// The state that the daemon publishes: orientation, rotation lock and tablet mode.
///
/// ``natural`` gives all edges of a state their names; ``rotation`` follows from it and the last edge:
///
///     let state = OrientationState(lastEdge: .portrait, natural: .landscapeLeft, sequence: 1, instance: "")
///     state.rotation    // 90: the picture of a wide panel, held upright on its side
public struct OrientationState: Hashable, Sendable {
    /// The orientation of the hardware.
    public var orientation: DeviceOrientation
    /// The last edge that pointed up; nil before the first one.
    public var lastEdge: Edge?
    /// The natural orientation: the name of the pose in which the display is not rotated. `portrait` for a panel that is
    /// at least as tall as it is wide, and where the daemon does not send it; `landscapeLeft` for a wider one. Nil with
    /// iio-sensor-proxy, which does not report it: only ``lastPanelEdge``, the two faces and ``rotation`` are known then.
    public var natural: Edge?
    /// The last edge of the panel, if it has no name because ``natural`` is unknown.
    private var unnamedEdge: PanelEdge?
    /// Elevation of the screen's normal above the horizon in degrees, −90 (face down) to 90 (face up); nil without a
    /// reading.
    public var tilt: Double?
    /// The recent deviation of |a| from one standard gravity in m/s², 0 or more; nil without a reading.
    public var disturbance: Double?
    /// Whether the rotation lock is on.
    public var isLocked: Bool
    /// The edge that the rotation lock holds; nil while the lock is off or holds no edge.
    public var lockedTo: Edge?
    /// Whether the device is in tablet mode: SW_TABLET_MODE, unless the lid angle proves the opposite, or without such a switch
    /// the lid angle; nil if neither is known.
    public var tabletMode: Bool?
    /// The lid angle in steps of 5°: 0 shut, 180 flat, 360 folded back; nil if it is unknown.
    public var lidAngle: Int?
    /// Whether the lid angle proves that SW_TABLET_MODE is wrong.
    public var isTabletSwitchOverruled = false
    /// A counter that increases by one with every change, from 1; comparable only within one ``instance``.
    public var sequence: Int
    /// The identifier of one run of the daemon.
    public var instance: String
    /// The CLOCK_BOOTTIME of the deciding sample, in microseconds; 0 before the first.
    public var timestamp: Int64
    /// The identifier of the sensor in use; nil while none is.
    public var sensor: String?
    /// The reason for an unknown orientation, as a message; nil while it is known.
    public var reason: String?
    /// Whether no sensor was found, or it failed; ``reason`` says why.
    public var hasSensorFailed = false

    /// Creates a state; omitted values are absent.
    public init(
        orientation: DeviceOrientation = .unknown, lastEdge: Edge? = nil, natural: Edge? = .portrait,
        tilt: Double? = nil, disturbance: Double? = nil, isLocked: Bool = false, lockedTo: Edge? = nil,
        tabletMode: Bool? = nil, sequence: Int, instance: String, timestamp: Int64 = 0, sensor: String? = nil,
        reason: String? = nil
    ) {
        self.orientation = orientation
        self.lastEdge = lastEdge
        self.natural = natural
        self.tilt = tilt
        self.disturbance = disturbance
        self.isLocked = isLocked
        self.lockedTo = lockedTo
        self.tabletMode = tabletMode
        self.sequence = sequence
        self.instance = instance
        self.timestamp = timestamp
        self.sensor = sensor
        self.reason = reason
    }

    /// Creates a state without a natural orientation, such as one of iio-sensor-proxy: its edge has no name.
    public init(
        orientation: DeviceOrientation = .unknown, lastPanelEdge: PanelEdge?, sequence: Int, instance: String,
        reason: String? = nil
    ) {
        self.init(orientation: orientation, natural: nil, sequence: sequence, instance: instance, reason: reason)
        unnamedEdge = lastPanelEdge
    }
}

extension OrientationState {
    /// How long a locked device is held at another edge before a rotation is suggested, in seconds.
    package static let suggestionDelay = 1.0

    /// The last edge of the panel that pointed up; nil before the first one.
    public var lastPanelEdge: PanelEdge? { natural == nil ? unnamedEdge : panelEdge(lastEdge) }

    /// Returns the edge of the panel with this name; nil while ``natural`` is unknown.
    func panelEdge(_ edge: Edge?) -> PanelEdge? {
        guard let edge, let natural else { return nil }
        return PanelEdge(edge, natural: natural)
    }

    /// The natural orientation by which edges are named where it may be unknown: then `portrait`.
    package var assumedNatural: Edge { natural ?? .portrait }

    /// The degrees by which the picture must be rotated on the panel, counter-clockwise: 0, 90, 180 or 270, the
    /// `wl_output` transform times 90. That of the last edge, also while the device lies flat or the orientation is
    /// unknown; the rotation lock does not change it. Nil before the first edge.
    public var rotation: Int? { lastPanelEdge?.rotation }
}
