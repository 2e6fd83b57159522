// SPDX-License-Identifier: Apache-2.0

import OrientationClient
import OrientationModel
import OrientationWire
import Recordings
import Varlink

/// The live samples of the daemon's sensor.
final class MotionSamples {
    struct Reading {
        /// Time in seconds, m/s² along the sensor's own axes.
        let sensor: Sample
        /// The same in the daemon's device frame, in m/s².
        let device: Acceleration
    }

    /// The sampling rate in hertz: enough to detect hand tremor.
    private static let rate = 50.0

    private var replies: SubscriptionIterator<JSONObject>
    private var pending: ArraySlice<Reading> = []
    private var axes: SensorAxes?
    private let sensor: String
    private let onWaiting: (String) -> Void
    private var isFirst = true

    /// The sign of the driver's vectors; known with the first sample.
    var sense: DeviceFrame.SensorSense { axes?.sense ?? .specificForce }

    /// - Parameters:
    ///   - daemon: The daemon.
    ///   - sensor: The id of its sensor, for messages.
    ///   - onWaiting: Called with the reason when samples stop; they resume by themselves.
    init(_ daemon: OrientationService, of sensor: String, onWaiting: @escaping (String) -> Void) {
        self.sensor = sensor
        self.onWaiting = onWaiting
        replies = daemon.replies(to: MotionInterface.monitor, ["maximumRate": .real(Self.rate)]).makeAsyncIterator()
    }

    /// Returns the next sample.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; ``Failure`` if the sensor changed or the connection was lost.
    func next() async throws -> Reading {
        while pending.isEmpty {
            guard let reply = try await replies.next() else { throw CancellationError() }
            if let reason: String = try reply.optionalValue("reason") {
                onWaiting(reason)
                continue
            }
            if let origin: JSONObject = try reply.optionalValue("origin") {
                guard isFirst else { throw Failure("calibration: the sensor changed; start again") }
                isFirst = false
                axes = SensorAxes(try RecordingHeader(origin: origin))
            }
            let samples: [JSONObject] = try reply.value("samples")
            pending = try samples.map(reading)[...]
        }
        return pending.removeFirst()
    }

    private func reading(_ json: JSONObject) throws -> Reading {
        let recorded = try RecordedSample(json)
        guard let vector = axes?.vector(recorded) else {
            let reason = sensor.hasPrefix("fake:") ? SensorAxes.notSimulated : SensorAxes.unknown
            throw Failure("\(sensor.titled) \(reason)")
        }
        return Reading(
            sensor: Sample(time: recorded.sample.time, acceleration: vector), device: recorded.sample.acceleration)
    }
}

extension SensorAxes {
    /// The failure for samples that are only known in the device frame.
    static let unknown = """
        cannot calibrate: the samples have neither raw values nor an invertible mount matrix; use a recording that \
        'orientationctl record' made of a sensor, or of 'fake:mount=MATRIX'
        """

    /// The failure for a simulated device without a simulated mounting.
    static let notSimulated = """
        cannot calibrate: no mounting is simulated; start orientationd with --sensor \
        'fake:mount=1,0,0;0,1,0;0,0,1'
        """
}
