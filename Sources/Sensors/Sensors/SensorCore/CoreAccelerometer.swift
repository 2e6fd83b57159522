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
    /// The rate that the core was asked for.
    private var requestedRate: Double
    private(set) var lastRaw: RecordedSample.Raw?

    init(_ description: SensorDescription, _ sensor: CoreSensor, frame: DeviceFrame, socket: any CoreSocket)
        throws(SensorFailure)
    {
        self.description = description
        self.frame = frame
        requestedRate = sensor.rate(atLeast: rate)
        stream = try CoreStream(sensor, rate: rate, socket: socket)
    }

    var info: SensorDescription {
        var info = description
        let rates = stream.sensor.attributes.rates.map { "\($0)" }.joined(separator: ", ")
        let choice = rates.isEmpty ? "" : "of \(rates), "
        info.method =
            "streamed at \(stream.sensor.rate(atLeast: rate)) Hz, \(choice)from node \(stream.sensor.server.node)"
        info.warnings += stream.warnings
        if !stream.configuration.isEmpty { info.statements.append("configuration: \(stream.configuration)") }
        return info
    }

    var conversion: Conversion {
        Conversion(
            scale: [1, 1, 1], offset: [0, 0, 0], sense: "specific force", rate: stream.sensor.rate(atLeast: rate))
    }

    /// Until the first sample a core may need minutes.
    var longestSilence: Double? { stream.hasValues ? 5 : nil }

    func setMotionRate(_ motionRate: Double?) {
        rate = max(motionRate ?? 0, SamplingFrequency.sufficient)
        // The next call tries again what fails here.
        try? requestRate()
    }

    private func requestRate() throws(SensorFailure) {
        let needed = stream.sensor.rate(atLeast: rate)
        guard needed != requestedRate else { return }
        try stream.request(rate: rate)
        requestedRate = needed
    }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        try requestRate()
        let sample = try stream.next(at: now) { event throws(Malformed) -> (value: Acceleration, accuracy: UInt64)? in
            guard event.message == CoreEvent.sample else { return nil }
            let (axes, accuracy) = try event.floats(3)
            return (Acceleration(x: axes[0], y: axes[1], z: axes[2]), accuracy)
        }
        guard let (vector, time) = sample else { return .wait(stream.wait) }
        lastRaw = vector
        return .sample(Sample(time: time, acceleration: frame(vector)))
    }
}
