// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensing
internal import Systemd

/// The properties of `net.hadess.SensorProxy`, with the values of iio-sensor-proxy 3.7 on a machine whose only sensor
/// is an accelerometer.
nonisolated struct SensorProxyValues: Equatable {
    /// Whether a usable accelerometer exists.
    var hasAccelerometer = false
    /// The edge that is up, or was last; nil before the first.
    private var edge: PanelEdge?
    /// The current or last tilt band.
    var tilt: TiltBand?

    /// The values before the first reading.
    static func unread(hasAccelerometer: Bool) -> SensorProxyValues {
        SensorProxyValues(hasAccelerometer: hasAccelerometer, edge: nil, tilt: nil)
    }

    /// Applies a report. The last reading is kept when the sensor stops, fails or is disconnected, so that the screen
    /// does not turn.
    mutating func apply(_ report: SensorReport) {
        guard case .decided(let attitude, _) = report else { return }
        hasAccelerometer = true
        edge = attitude.panelEdge ?? edge
        tilt = attitude.tiltBand ?? tilt
    }

    /// All properties, in the order in which they are listed.
    var all: [(name: String, value: BusValue)] {
        [
            ("HasAccelerometer", .boolean(hasAccelerometer)),
            ("AccelerometerOrientation", .string(edge?.sensorProxyName ?? "undefined")),
            ("AccelerometerTilt", .string(tilt?.desktopName ?? "undefined")),
            ("HasAmbientLight", .boolean(false)),
            ("LightLevelUnit", .string("lux")),
            ("LightLevel", .double(0)),
            ("HasProximity", .boolean(false)),
            ("ProximityNear", .boolean(false)),
        ]
    }

    /// The properties of the compass, which is not implemented.
    static let compass: [(name: String, value: BusValue)] = [
        ("HasCompass", .boolean(false)), ("CompassHeading", .double(0)),
    ]

    /// Returns the properties that differ from `old`.
    func changes(since old: SensorProxyValues) -> [(name: String, value: BusValue)] {
        zip(all, old.all).filter { $0.value != $1.value }.map(\.0)
    }
}

extension TiltBand {
    /// The band, as desktops name it.
    fileprivate nonisolated var desktopName: String {
        switch self {
        case .vertical: "vertical"
        case .tiltedUp: "tilted-up"
        case .tiltedDown: "tilted-down"
        case .faceUp: "face-up"
        case .faceDown: "face-down"
        }
    }
}

/// Limits the rate at which a new tilt is published to desktops to once per second, because every local user may read
/// the properties. A face is published at once: it is an orientation, which is public.
///
/// Times are in seconds.
nonisolated struct TiltRenewal {
    /// Seconds from one renewal to the next.
    static let interval = CoarseMeasurements.interval

    private var published: TiltBand?
    private var newest: TiltBand?
    private var renewed = -Double.infinity

    /// Records the newest band and returns the one to publish.
    mutating func update(_ band: TiltBand, at now: Double) -> TiltBand {
        newest = band
        guard let published, !band.isFace, now - renewed < Self.interval else { return publish(band, at: now) }
        return published
    }

    /// Returns the seconds until the newest band may be published; nil if it is published already.
    func wait(at now: Double) -> Double? {
        newest == published ? nil : max(renewed + Self.interval - now, 0)
    }

    /// Returns the band to publish after the interval; nil if none is known.
    mutating func renew(at now: Double) -> TiltBand? { newest.map { update($0, at: now) } }

    private mutating func publish(_ band: TiltBand, at now: Double) -> TiltBand {
        if band != published { renewed = now }
        published = band
        return band
    }
}

extension TiltBand {
    fileprivate nonisolated var isFace: Bool { self == .faceUp || self == .faceDown }
}
