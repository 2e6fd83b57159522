// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Recordings

/// An accelerometer of the sensor core, which sends samples in m/s² at a rate.
final class CoreAccelerometer: Accelerometer {
    let supportsBackpressure = false

    private let description: SensorDescription
    private let frame: DeviceFrame
    private let stream: CoreStream
    private var rate = SamplingFrequency.sufficient
    private(set) var lastRaw: RecordedSample.Raw?

    init(_ description: SensorDescription, _ sensor: CoreSensor, frame: DeviceFrame, socket: any CoreSocket)
        throws(SensorFailure)
    {
        self.description = description
        self.frame = frame
        stream = try CoreStream(sensor, rate: rate, socket: socket)
    }

    var info: SensorDescription {
        var info = description
        let (sensor, rates) = (stream.sensor, stream.sensor.attributes.rates.map { "\($0)" })
        info.method =
            "streamed at \(sensor.rate(atLeast: rate)) Hz, of \(rates.joined(separator: ", ")), from node \(sensor.server.node)"
        info.warnings += stream.warnings
        return info
    }

    var conversion: Conversion {
        Conversion(
            scale: [1, 1, 1], offset: [0, 0, 0], sense: "specific force", rate: stream.sensor.rate(atLeast: rate))
    }

    /// Until the first sample a core may need minutes.
    var longestSilence: Double? { stream.hasValues ? 5 : nil }

    func setMotionRate(_ motionRate: Double?) {
        let former = stream.sensor.rate(atLeast: rate)
        rate = max(motionRate ?? 0, SamplingFrequency.sufficient)
        // A failure follows from the next call.
        if stream.sensor.rate(atLeast: rate) != former { try? stream.request(rate: rate) }
    }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        let sample = try stream.next(at: now) { event throws(Malformed) -> (value: Acceleration, accuracy: UInt64)? in
            guard event.message == 1025 else { return nil }
            let (axes, accuracy) = try event.floats(3)
            return (Acceleration(x: axes[0], y: axes[1], z: axes[2]), accuracy)
        }
        guard let (vector, time) = sample else { return .wait(stream.wait) }
        lastRaw = RecordedSample.Raw(x: vector.x, y: vector.y, z: vector.z)
        return .sample(Sample(time: time, acceleration: frame(vector)))
    }
}
