// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix

/// The lid angle of a laptop with an accelerometer in the display and one in the base.
final class AccelerometerPair: LidMeter {
    /// The location in its description.
    static let location = "display and base"

    let display: LaptopHalf?
    private let base: LaptopHalf
    private var pair = LidPair()

    static func source(_ halves: LaptopHalves) -> LidSource {
        LidSource { facts throws(SensorFailure) in
            let found = try halves.find(facts)
            guard let display = found.display, let base = found.base else { return [] }
            return [
                FoundSensor(info: describe(display.info, base.info, facts)) {
                    AccelerometerPair(display: display, base: base)
                }
            ]
        }
    }

    /// Describes a pair by the sensor in the base, which is read for it only.
    private static func describe(
        _ display: SensorDescription, _ base: SensorDescription, _ facts: HardwareFacts
    ) -> SensorDescription {
        var info = SensorDescription(
            .hinge, id: base.id, name: base.name,
            method: "against \(display.id) (\(display.name)); mount matrix from \(base.matrixSource)")
        info.location = location
        info.warnings = base.warnings
        info.rejection = facts.rejection(of: display.id) ?? facts.rejection(of: base.id)
        return info
    }

    init(display: LaptopHalf, base: LaptopHalf) {
        self.display = display
        self.base = base
    }

    func read(at now: Double) throws(SensorFailure) -> LidReading {
        guard let upper = try display?.sample(at: now), let lower = try base.sample(at: now) else { return .unreliable }
        return pair.reading(display: upper, base: lower)
    }
}

final class LaptopHalf {
    let info: SensorDescription
    private let read: () throws(SensorFailure) -> Acceleration?
    private let measurements: AccelerometerMeasurements?

    /// The age in seconds up to which a sample of the sensor thread replaces a reading, and up to which it counts if the
    /// driver refuses to be polled: a device at rest is read every ``PollingPace/intervalWithEvents`` seconds.
    private static let freshAge = 0.1
    private static let longestAge = 5.0

    /// `measurements` has the samples of the sensor thread, which may capture from this sensor. `read` polls it, for a vector
    /// in its frame; nil without a valid reading.
    init(
        _ info: SensorDescription, _ measurements: AccelerometerMeasurements? = nil,
        read: @escaping () throws(SensorFailure) -> Acceleration?
    ) {
        self.info = info
        self.measurements = measurements
        self.read = read
    }

    /// Returns a descriptor that is readable once the sensor thread has read motion; nil if it does not read this sensor.
    func awaitMotion(at now: Double) -> Int32? { measurements?.awaitMotion(of: info.id, since: now - Self.longestAge) }

    /// Returns the current sample; nil without a valid reading.
    func sample(at now: Double) throws(SensorFailure) -> Sample? {
        if let sample = measurements?.sample(of: info.id, since: now - Self.freshAge) { return sample }
        do throws(SensorFailure) {
            return try read().map { Sample(time: now, acceleration: $0) }
        } catch .failed(let reason) {
            guard let sample = measurements?.sample(of: info.id, since: now - Self.longestAge) else {
                throw .failed(reason)
            }
            return Sample(time: now, acceleration: sample.acceleration)
        }
    }
}

/// Finds the accelerometers in both halves.
struct LaptopHalves: Sendable {
    private let accelerometers: IIOSources
    private let measurements: AccelerometerMeasurements

    init(_ accelerometers: IIOSources, _ measurements: AccelerometerMeasurements) {
        self.accelerometers = accelerometers
        self.measurements = measurements
    }

    /// Returns the first sensors that can be polled, in the display and in the base.
    func find(_ facts: HardwareFacts) throws(SensorFailure) -> (display: LaptopHalf?, base: LaptopHalf?) {
        let found = try accelerometers.accelerometers(facts).filter(\.canBePolled)
        let half = { (locations: [String]) in
            found.first { locations.contains($0.info.location) }.map { device in
                var polling: Polling?
                return LaptopHalf(device.info, measurements) { () throws(SensorFailure) in
                    // Opened with the first reading: a failure is one of the reading, which is repeated.
                    if polling == nil { polling = try Polling(device, readsAllAxes: true) }
                    return try polling?.read()
                }
            }
        }
        return (half(["display", "lid"]), half(["base"]))
    }
}
