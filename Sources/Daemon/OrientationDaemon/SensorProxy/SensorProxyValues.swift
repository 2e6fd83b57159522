// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensors
internal import Systemd

/// The properties of `net.hadess.SensorProxy` and its compass, with the values of iio-sensor-proxy 3.9.
struct SensorProxyValues: Equatable {
    /// The sensors that exist and are usable. Without a proximity sensor nothing is near: the screen must not stay off.
    var present: Set<SensorKind> = [] {
        didSet { if !present.contains(.proximity) { isNear = false } }
    }
    /// The edge that is up, or was last; nil before the first.
    private(set) var edge: PanelEdge?
    /// The current or last tilt band.
    var tilt: TiltBand?
    private var lightLevel = 0.0
    private var lightUnit = LightUnit.lux
    private var isNear = false
    private var heading = 0.0

    /// Creates the values before the first reading.
    init(present: Set<SensorKind> = []) {
        self.present = present
    }

    /// Applies a report. The last reading is kept when the sensor stops, fails or is disconnected: the screen must
    /// not turn.
    mutating func apply(_ report: SensorState) {
        switch report {
        case .decided(let attitude, _):
            present.insert(.accelerometer)
            edge = attitude.lastEdge ?? edge
            tilt = attitude.tiltBand ?? tilt
        case .read(let reading):
            present.insert(reading.kind)
            apply(reading)
        case .off, .starting, .withoutGravity, .unavailable, .ended: break
        }
    }

    private mutating func apply(_ reading: AmbientReading) {
        switch reading {
        case .light(let level, let unit): (lightLevel, lightUnit) = (level, unit)
        case .proximity(let isNear): self.isNear = isNear
        case .compass(let heading): self.heading = heading
        case .lid: break
        }
    }

    /// Returns the values with another edge; nil for the device's.
    func showing(_ edge: PanelEdge?) -> SensorProxyValues {
        var values = self
        values.edge = edge ?? values.edge
        return values
    }

    /// The properties of the main interface, in the order in which they are listed.
    var all: [Property] { properties(of: .accelerometer) + properties(of: .light) + properties(of: .proximity) }

    var compass: [Property] { properties(of: .compass) }

    typealias Property = (name: String, value: BusValue)

    private func properties(of sensor: SensorKind) -> [Property] {
        let isPresent = BusValue.boolean(present.contains(sensor))
        return switch sensor {
        case .accelerometer:
            [
                ("HasAccelerometer", isPresent),
                ("AccelerometerOrientation", .string(edge?.sensorProxyName ?? "undefined")),
                ("AccelerometerTilt", .string(tilt?.desktopName ?? "undefined")),
            ]
        case .light:
            [
                ("HasAmbientLight", isPresent), ("LightLevelUnit", .string(lightUnit.rawValue)),
                ("LightLevel", .double(lightLevel)),
            ]
        case .proximity: [("HasProximity", isPresent), ("ProximityNear", .boolean(isNear))]
        case .compass: [("HasCompass", isPresent), ("CompassHeading", .double(heading))]
        // Desktops read the tablet switch.
        case .hinge: []
        }
    }

    /// Returns the properties of a sensor that differ from `old`.
    func changes(of sensor: SensorKind, since old: SensorProxyValues) -> [Property] {
        zip(properties(of: sensor), old.properties(of: sensor)).filter { $0.value != $1.value }.map(\.0)
    }
}

extension TiltBand {
    fileprivate var desktopName: String {
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
struct TiltRenewal {
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
    fileprivate var isFace: Bool { self == .faceUp || self == .faceDown }
}
