// SPDX-License-Identifier: Apache-2.0

import Calibration
import OrientationClient
import OrientationModel
import OrientationWire
import Recordings
import Varlink

/// What the daemon's sensor reads now, sample by sample.
final class MotionSamples {
    /// A sample, and what the sensor itself read.
    struct Reading {
        /// Seconds, and m/s² along the sensor's own axes.
        let sensor: Sample
        /// What the daemon makes of it.
        let device: Acceleration
    }

    /// More than anybody needs to see whether a hand is still.
    private static let rate = 50.0

    /// Hears why there are no samples at the moment; they come again by themselves.
    var waiting: (String) -> Void = { _ in }

    private var replies: OrientationReplies.AsyncIterator
    private var pending: ArraySlice<Reading> = []
    private var axes: SensorAxes?
    private var isFirst = true

    /// Which way the driver counts; known with the first sample.
    var sense: DeviceFrame.SensorSense { axes?.sense ?? .specificForce }

    init(_ daemon: OrientationService) {
        replies = daemon.replies(to: MotionInterface.monitor, ["maximumRate": .real(Self.rate)]).makeAsyncIterator()
    }

    /// The next sample.
    ///
    /// - Throws: `CancellationError`, when the task was cancelled; ``Failure``, when it will never come.
    func next() async throws -> Reading {
        while pending.isEmpty {
            guard let reply = try await replies.next() else { throw CancellationError() }
            if let reason: String = try reply.optionalValue("reason") {
                waiting(reason)
                continue
            }
            if let origin: JSONObject = try reply.optionalValue("origin") {
                guard isFirst else { throw Failure("another sensor took over; start anew") }
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
            throw Failure(SensorAxes.unknown)
        }
        return Reading(
            sensor: Sample(time: recorded.sample.time, acceleration: vector), device: recorded.sample.acceleration)
    }
}

extension SensorAxes {
    static let unknown = """
        there is nothing to calibrate: the samples come without a sensor's own values, or a mount matrix that can be undone
        """
}
