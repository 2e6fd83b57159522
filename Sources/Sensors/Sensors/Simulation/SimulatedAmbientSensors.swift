// SPDX-License-Identifier: Apache-2.0

package import OrientationModel
internal import Posix

/// The ambient sensors of the simulated device; they fail with it.
extension SimulatedDevice {
    struct AmbientValues {
        /// The values that were set.
        var readings: [SensorKind: AmbientReading] = [:]
        var light = -1.0
        var heading = 0.0
        /// The fold in degrees, with its start in seconds; nil while the device has no hinge.
        var fold: (from: Double, to: Double, start: Double)?

        /// The speed of a fold, in degrees per second.
        private static let foldSpeed = 360.0
        /// The angle before the first fold.
        private static let firstAngle = 100.0

        /// Returns the reading of a sensor. Until a value is set, each reading of the light is 1 lux brighter than the last
        /// one, from 0 up to 999, each heading 10° further, and nothing is near.
        mutating func read(_ kind: SensorKind) -> AmbientReading {
            if let value = readings[kind] { return value }
            switch kind {
            case .light:
                light = light >= 999 ? 0 : light + 1
                return .light(light, .lux)
            case .proximity: return .proximity(isNear: false)
            case .compass, .accelerometer, .hinge:
                heading = (heading + 10).wrapped
                return .compass(heading)
            }
        }

        func lidAngle(at now: Double) -> Double? {
            fold.map { fold in
                let (distance, moved) = (fold.to - fold.from, Self.foldSpeed * (now - fold.start))
                return abs(distance) <= moved ? fold.to : fold.from + (distance < 0 ? -moved : moved)
            }
        }

        mutating func setFold(to angle: Double, at now: Double) {
            fold = (lidAngle(at: now) ?? Self.firstAngle, angle, now)
        }
    }

    /// Returns the reading of an ambient sensor; nil without one. `now` is CLOCK_BOOTTIME in seconds.
    func read(_ kind: SensorKind, at now: Double) throws(SensorFailure) -> AmbientReading? {
        guard try isResponding(at: now) else { return nil }
        return ambientReading(kind)
    }

    /// The row of the simulated sensors of these kinds.
    package func source(_ kinds: Set<SensorKind>) -> AmbientSource {
        AmbientSource { [self] _ in
            guard absence(at: BootClock.now()) == nil else { return [] }
            return SensorGroup.ambient.kinds.filter(kinds.contains).map { kind in
                FoundSensor(info: Self.describe(kind)) { SimulatedSensor(kind, self) }
            }
        }
    }

    /// The row of the simulated hinge sensor, with a lid switch.
    package var hinge: AmbientSource {
        let row = LidSource { [self] _ in
            let now = BootClock.now()
            guard lidAngle(at: now) != nil, absence(at: now) == nil else { return [] }
            return [FoundSensor(info: Self.describe(.hinge)) { SimulatedHinge(self) }]
        }
        return LidSources.source([row]) { [self] _ in
            { self.lidAngle(at: BootClock.now()).map { $0 == 0 } }
        }
    }

    fileprivate static func describe(_ kind: SensorKind) -> SensorDescription {
        SensorDescription(
            kind, id: "\(FakeSource.scheme):", name: "simulated device", method: "requested simulation")
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
    /// The interval between readings, in seconds.
    private static let interval = 1.0

    let info: SensorDescription
    private let device: SimulatedDevice

    init(_ kind: SensorKind, _ device: SimulatedDevice) {
        info = SimulatedDevice.describe(kind)
        self.device = device
    }

    func next(at now: Double) throws(SensorFailure) -> SensorStep<AmbientReading> {
        let wait = SourceWait.pause(seconds: Self.interval)
        return try device.read(info.kind, at: now).map { .sample($0, then: wait) } ?? .wait(wait)
    }
}

private final class SimulatedHinge: LidMeter {
    let display: LaptopHalf? = nil
    private let device: SimulatedDevice

    init(_ device: SimulatedDevice) { self.device = device }

    func read(at now: Double) throws(SensorFailure) -> LidReading {
        guard let display = try device.reading(at: now) else { return .unreliable }
        return device.lidAngle(at: now).map { .angle($0, display: display) } ?? .unreliable
    }
}
