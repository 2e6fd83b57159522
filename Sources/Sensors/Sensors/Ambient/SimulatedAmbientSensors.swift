// SPDX-License-Identifier: Apache-2.0

package import OrientationModel
internal import Posix

/// The ambient sensors of the simulated device.
///
/// Until a value is set, each reading of the light is 1 lux brighter than the last one, from 0 up to 999, each heading 10°
/// further, and nothing is near. They fail with the device.
///
/// Unchecked: all mutable state is behind the lock. The event loop sets values, the ambient thread reads them.
package final class SimulatedAmbientSensors: @unchecked Sendable {
    /// The interval between readings, in seconds.
    static let interval = 1.0
    /// The id of the sensors.
    package static let id = "fake:"

    private let device: SimulatedDevice
    private let lock = Lock()
    private var values: [SensorKind: AmbientReading] = [:]
    private var light = -1.0
    private var heading = 0.0
    /// The fold in degrees, with its start in seconds; nil while the device has no hinge.
    private var fold: (from: Double, to: Double, start: Double)?
    /// The speed of a fold, in degrees per second.
    private static let foldSpeed = 360.0
    /// The angle before the first fold.
    private static let firstAngle = 100.0

    package init(of device: SimulatedDevice) {
        self.device = device
    }

    /// Sets a value, which the next reading returns.
    package func set(_ reading: AmbientReading) {
        lock.withLock { values[reading.kind] = reading }
    }

    /// Folds the device to a lid angle in degrees: from now on it has a hinge sensor.
    package func fold(to angle: Double, at now: Double) {
        let current = lidAngle(at: now) ?? Self.firstAngle
        lock.withLock { fold = (current, angle, now) }
    }

    fileprivate func lidAngle(at now: Double) -> Double? {
        lock.withLock {
            fold.map { fold in
                let (distance, moved) = (fold.to - fold.from, Self.foldSpeed * (now - fold.start))
                return abs(distance) <= moved ? fold.to : fold.from + (distance < 0 ? -moved : moved)
            }
        }
    }

    /// Returns the reading; nil without one. `now` is CLOCK_BOOTTIME in seconds.
    func read(_ kind: SensorKind, at now: Double) throws(SensorFailure) -> AmbientReading? {
        guard try device.isResponding(at: now) else { return nil }
        return lock.withLock {
            if let value = values[kind] { return value }
            switch kind {
            case .light:
                light = light >= 999 ? 0 : light + 1
                return .light(light, .lux)
            case .proximity: return .proximity(isNear: false)
            case .compass, .accelerometer, .hinge:
                heading = AttributeText.heading(heading + 10)
                return .compass(heading)
            }
        }
    }

    /// The row of the simulated sensors of these kinds.
    package func source(_ kinds: Set<SensorKind>) -> AmbientSource {
        AmbientSource(
            scan: { [device] _ in
                guard device.absence(at: BootClock.now()) == nil else { return [] }
                return SensorGroup.ambient.kinds.filter(kinds.contains).map(Self.describe)
            },
            open: { wanted, _ throws(SensorFailure) in SimulatedSensor(wanted.kind, self) })
    }

    /// The row of the simulated hinge sensor, with a lid switch.
    package var hinge: AmbientSource {
        let row = LidSource(
            scan: { [self] _ in
                let now = BootClock.now()
                return lidAngle(at: now) == nil || device.absence(at: now) != nil ? [] : [Self.describe(.hinge)]
            },
            open: { [self] _, _ throws(SensorFailure) in SimulatedHinge(self) })
        return LidSources.source([row]) { [self] _ in
            { self.lidAngle(at: BootClock.now()).map { $0 == 0 } }
        }
    }

    fileprivate func lidReading(at now: Double) throws(SensorFailure) -> LidReading {
        guard try device.isResponding(at: now) else { return .unreliable }
        return lidAngle(at: now).map { .angle($0) } ?? .unreliable
    }

    fileprivate static func describe(_ kind: SensorKind) -> SensorDescription {
        SensorDescription(kind, id: id, name: "simulated device", reading: "requested simulation")
    }
}

extension AmbientReading {
    package var kind: SensorKind {
        switch self {
        case .light: .light
        case .proximity: .proximity
        case .compass: .compass
        case .lid: .hinge
        }
    }
}

private final class SimulatedSensor: AmbientSensor {
    let info: SensorDescription
    private let sensors: SimulatedAmbientSensors

    init(_ kind: SensorKind, _ sensors: SimulatedAmbientSensors) {
        info = SimulatedAmbientSensors.describe(kind)
        self.sensors = sensors
    }

    func next(at now: Double) throws(SensorFailure) -> SensorStep<AmbientReading> {
        let wait = SourceWait.pause(seconds: SimulatedAmbientSensors.interval)
        return try sensors.read(info.kind, at: now).map { .sample($0, then: wait) } ?? .wait(wait)
    }
}

private final class SimulatedHinge: LidMeter {
    private let sensors: SimulatedAmbientSensors

    init(_ sensors: SimulatedAmbientSensors) { self.sensors = sensors }

    func read(at now: Double) throws(SensorFailure) -> LidReading { try sensors.lidReading(at: now) }
}
