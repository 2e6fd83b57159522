// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel

/// The light, proximity and compass sensors of the sensor core.
package enum CoreAmbient {
    /// The lowest sufficient rate of a sensor that sends samples, in hertz.
    private static let rate = 5.0

    package static var source: AmbientSource {
        AmbientSource { facts in
            (facts.core?.sensors ?? []).filter { $0.type != .accelerometer }.map { sensor in
                let info = describe(sensor)
                return FoundSensor(info: info) { () throws(SensorFailure) in
                    CoreAmbientSensor(info, try CoreStream(sensor, rate: rate, socket: QRTRSocket(for: sensor.id)))
                }
            }
        }
    }

    static func describe(_ sensor: CoreSensor) -> SensorDescription {
        let method = sensor.attributes.sendsChanges ? "on each change" : "streamed at \(sensor.rate(atLeast: rate)) Hz"
        return SensorDescription(
            sensor.type.kind, id: sensor.id, name: sensor.attributes.name, method: "sensor core, \(method)",
            rejection: sensor.defect)
    }
}

/// An open sensor of the core.
final class CoreAmbientSensor: AmbientSensor {
    private let description: SensorDescription
    private let stream: CoreStream

    init(_ description: SensorDescription, _ stream: CoreStream) {
        self.description = description
        self.stream = stream
    }

    var info: SensorDescription {
        var info = description
        info.warnings += stream.warnings
        return info
    }

    func next(at now: Double) throws(SensorFailure) -> SensorStep<AmbientReading> {
        let type = stream.sensor.type
        let reading = try stream.next(at: now) { event throws(Malformed) in try Self.reading(of: event, type) }
        return reading.map { .sample($0.value) } ?? .wait(stream.wait)
    }

    /// Returns the reading of an event; nil for another event.
    static func reading(
        of event: CoreEvent, _ type: CoreType
    ) throws(Malformed) -> (value: AmbientReading, accuracy: UInt64)? {
        switch (type, event.message) {
        case (.light, CoreEvent.sample):
            let (values, accuracy) = try event.floats(1, allowsMore: true)
            return (.light(min(max(values[0], 0), LinearConversion.brightestLight), .lux), accuracy)
        case (.proximity, let kind) where CoreEvent.proximity.contains(kind):
            guard let isNear = try event.number(1) else { throw Malformed() }
            return (.proximity(isNear: isNear != 0), try event.number(3) ?? 3)
        case (.rotation, CoreEvent.sample):
            let (q, accuracy) = try event.floats(4, allowsMore: true)
            let heading = atan2(2 * (q[0] * q[1] - q[2] * q[3]), 1 - 2 * (q[0] * q[0] + q[2] * q[2]))
            return (.compass((heading * 180 / .pi).wrapped), accuracy)
        default: return nil
        }
    }
}
