// SPDX-License-Identifier: Apache-2.0

/// All that the daemon tells about how a device is held, at one moment.
public struct OrientationState: Hashable, Sendable {
    /// How the hardware is held.
    public var orientation: DeviceOrientation
    /// The last edge that was up; nil until there was one.
    public var lastEdge: Edge?
    /// Elevation of the screen's normal above the horizon in degrees, −90 (face down) to 90 (face up); nil without a
    /// reading.
    public var tilt: Double?
    /// How far the acceleration was from one standard gravity lately, in m/s², from 0 on; nil without a reading.
    public var disturbance: Double?
    /// Whether the user's rotation lock is closed.
    public var isLocked: Bool
    /// The edge that the lock holds; nil while it is open or holds none.
    public var lockedTo: Edge?
    /// Whether the hinge's switch says tablet; nil where there is no such switch.
    public var tabletMode: Bool?
    /// Grows by one with every change, from 1 on; compare it only within one ``instance``.
    public var sequence: Int
    /// Names one run of the daemon; another run has another.
    public var instance: String
    /// The CLOCK_BOOTTIME of the sample that decided, in microseconds; 0 before the first.
    public var timestamp: Int64
    /// The sensor's id; nil while none is in use.
    public var sensor: String?
    /// Why the orientation is unknown, for a person; nil while it is known.
    public var reason: String?

    /// Makes a state; what is left out is absent.
    public init(
        orientation: DeviceOrientation = .unknown, lastEdge: Edge? = nil, tilt: Double? = nil,
        disturbance: Double? = nil, isLocked: Bool = false, lockedTo: Edge? = nil, tabletMode: Bool? = nil,
        sequence: Int, instance: String, timestamp: Int64 = 0, sensor: String? = nil, reason: String? = nil
    ) {
        self.orientation = orientation
        self.lastEdge = lastEdge
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
}
