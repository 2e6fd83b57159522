// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

protocol AmbientSensor: SensorSource where Value == AmbientReading {}

/// A source of ambient sensors. A new one is a file with an ``AmbientSensor``, and a row in
/// `SensorURI.ambientSources` of OrientationDaemon.
package struct AmbientSource: Sendable {
    /// Finds the sensors, the best one of each kind first. May block.
    let scan: @Sendable (HardwareFacts) throws(SensorFailure) -> [FoundSensor<any AmbientSensor>]
}

struct FoundSensor<Sensor> {
    let info: SensorDescription
    /// Opens the sensor. May block.
    let open: () throws(SensorFailure) -> Sensor
}

extension SensorTable {
    /// The ambient sensors of these sources, the best one first.
    package static func ambient(_ sources: [AmbientSource]) -> SensorTable {
        SensorTable(
            group: .ambient,
            list: { facts in
                let (found, failure) = scan(sources, facts)
                return SensorList(found.map(\.info).chosen(facts.recentFailures), failure: failure)
            },
            open: { start, facts, _ throws(OpenFailure) in try open(start.kind, sources, facts) })
    }

    /// Returns the sensors of all sources, and the first failure: sensors may be missing then.
    private static func scan(
        _ sources: [AmbientSource], _ facts: HardwareFacts
    ) -> (found: [FoundSensor<any AmbientSensor>], failure: SensorFailure?) {
        var (found, failure) = ([FoundSensor<any AmbientSensor>](), facts.failure)
        for source in sources {
            do throws(SensorFailure) { found += try source.scan(facts) } catch { failure = failure ?? error }
        }
        return (found, failure)
    }

    private static func open(
        _ kind: SensorKind, _ sources: [AmbientSource], _ facts: HardwareFacts
    ) throws(OpenFailure) -> AmbientReader {
        let (found, failure) = scan(sources, facts)
        let sensors = found.map(\.info).chosen(facts.recentFailures)
        guard let choice = sensors.firstIndex(where: { $0.kind == kind && $0.isChosen }) else {
            throw OpenFailure(reason: failure ?? absence(of: kind, sensors))
        }
        return AmbientReader(try OpenFailure.naming(sensors[choice].id, found[choice].open))
    }

    private static func absence(of kind: SensorKind, _ sensors: [SensorDescription]) -> SensorFailure {
        let rejected = sensors.filter { $0.kind == kind }.compactMap { sensor in
            sensor.rejection.map { "\(sensor.id) (\(sensor.name)): \($0)" }
        }
        let reasons = rejected.isEmpty ? "" : "; \(rejected.joined(separator: "; "))"
        return .noDevice("no usable \(kind) sensor found\(reasons)")
    }
}

/// An open ambient sensor: only changed readings are events, and the first one.
private final class AmbientReader: SensorReader {
    private let sensor: any AmbientSensor
    private var last: AmbientReading?

    init(_ sensor: any AmbientSensor) {
        self.sensor = sensor
    }

    var info: SensorDescription { sensor.info }

    func repeatReading() { last = nil }

    func next(at now: Double) throws(SensorFailure) -> SensorStep<[RunEvent]> {
        try sensor.next(at: now).map { reading in
            defer { last = reading }
            return reading == last ? [] : [.read(reading)]
        }
    }
}
