// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

extension SensorTable {
    /// The accelerometers of a sensor URI. With `reportsTilt` a change of the tilt band is an event, which only the
    /// SensorProxy service needs; without it the event would wake the loop needlessly.
    package static func accelerometers(
        _ uri: SensorURI, settings: ClassifierSettings = .standard, reportsTilt: Bool = true,
        _ measurements: AccelerometerMeasurements
    ) -> SensorTable {
        let known = KnownAccelerometers(uri, settings: settings, reportsTilt: reportsTilt, measurements)
        return SensorTable(
            group: .accelerometer, list: { known.list($0) },
            open: { start, facts, thread throws(OpenFailure) in
                try known.open(facts, mayResume: !start.isFresh, thread)
            })
    }
}

/// The accelerometers of a sensor URI, and what is kept of them between runs.
///
/// Unchecked: only the sensor thread uses it, and there is one such thread at a time.
private final class KnownAccelerometers: @unchecked Sendable {
    /// The number of sensors that are remembered: a machine has a few, and the oldest entries are of removed ones.
    private static let capacity = 16

    private let uri: SensorURI
    private let settings: ClassifierSettings
    private let reportsTilt: Bool
    private let measurements: AccelerometerMeasurements
    private var paused: AccelerometerReader?
    private weak var current: AccelerometerReader?
    /// The last vector and the warning about the scale of each sensor that was used, by id.
    private var remembered: [String: (vector: Acceleration, scaleWarning: String?)] = [:]

    init(
        _ uri: SensorURI, settings: ClassifierSettings, reportsTilt: Bool, _ measurements: AccelerometerMeasurements
    ) {
        self.uri = uri
        self.settings = settings
        self.reportsTilt = reportsTilt
        self.measurements = measurements
    }

    func list(_ facts: HardwareFacts) -> SensorList {
        if let current { remember(current) }
        let list: SensorList
        do throws(SensorFailure) { list = SensorList(try uri.scan(facts: facts)) } catch {
            list = SensorList(failure: error)
        }
        return list.mapped { sensor in
            var sensor = sensor
            sensor.lastVector = remembered[sensor.id]?.vector
            if let warning = remembered[sensor.id]?.scaleWarning { sensor.warnings.append(warning) }
            return sensor
        }
    }

    /// Opens the best sensor, or resumes the paused recording.
    func open(
        _ facts: HardwareFacts, mayResume: Bool, _ thread: SensorThread
    ) throws(OpenFailure) -> AccelerometerReader {
        let resumed = mayResume ? paused : nil
        paused = nil
        let reader: AccelerometerReader
        if let resumed { reader = resumed } else { reader = try newReader(facts, thread) }
        reader.update()
        current = reader
        return reader
    }

    private func newReader(
        _ facts: HardwareFacts, _ thread: SensorThread
    ) throws(OpenFailure) -> AccelerometerReader {
        let source = try uri.open(facts: facts)
        let id = source.info.id
        return AccelerometerReader(
            source, ClassifierTuning(facts, device: id, usual: settings), reportsTilt: reportsTilt,
            scaleWarning: remembered[id]?.scaleWarning, measurements: measurements,
            wakeLoop: { [unowned thread] in thread.wakeLoop() },
            ended: { [unowned self] reader, mayResume in
                remember(reader)
                if mayResume, reader.supportsBackpressure { paused = reader }
            })
    }

    private func remember(_ reader: AccelerometerReader) {
        guard let vector = reader.lastVector else { return }
        if remembered.count >= Self.capacity { remembered.removeAll() }
        remembered[reader.source.info.id] = (vector, reader.scaleWarning)
    }
}
