// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import OrientationWire
internal import Sensing
internal import Varlink

/// Answers `org.orientationd.Motion`: hands the samples themselves to those who may know them.
final class MotionCalls: InterfaceCalls {
    let interface = MotionInterface.name
    private let sensor: SensorControl
    private var followers: [Int: Follower] = [:]

    /// Writes what a session was given to say.
    var serve: @MainActor (ClientSession) -> Void = { _ in }

    /// One who follows the motion.
    private struct Follower {
        let session: ClientSession
        var thinning: SampleThinning
        /// The sensor whose origin it was told.
        var toldSensor: String?
    }

    init(sensor: SensorControl) {
        self.sensor = sensor
    }

    func requirement(for call: Call) -> Authority.Requirement? { .trusted }

    func answer(_ call: Call, _ session: ClientSession) {
        guard call.mode == .more else { return session.send(EncodedMessage(error: .expectedMore)) }
        let rate: Double? = try? call.parameters.optionalValue("maximumRate")
        guard rate.map({ $0 > 0 }) ?? true else {
            return session.send(EncodedMessage(error: .invalidParameter("maximumRate")))
        }
        followers[session.id] = Follower(session: session, thinning: SampleThinning(maximumRate: rate))
        sensor.setWanted(true, by: .motion)
    }

    func forget(_ session: ClientSession) {
        guard followers.removeValue(forKey: session.id) != nil else { return }
        if followers.isEmpty { sensor.setWanted(false, by: .motion) }
    }

    /// Here are new samples. A follower that does not read misses them: motion is not kept for anybody.
    func take(_ samples: [MotionSample]) {
        for id in followers.keys {
            guard var follower = followers[id], follower.session.isCaughtUp else { continue }
            let kept = follower.thinning.thin(samples)
            guard !kept.isEmpty else { continue }
            var reply: JSONObject = ["samples": .array(kept.map { .object($0.json) })]
            if let origin = sensor.origin, origin.sensor.id != follower.toldSensor {
                reply["origin"] = .object(Self.json(origin.sensor, origin.arithmetic))
                follower.toldSensor = origin.sensor.id
            }
            followers[id] = follower
            follower.session.send(EncodedMessage(reply: reply, continues: true))
            serve(follower.session)
        }
    }

    private static func json(_ sensor: SensorDescription, _ arithmetic: SensorArithmetic) -> JSONObject {
        let numbers = { (values: [Double]) in JSONValue.array(values.map { .real($0) }) }
        var json: JSONObject = ["device": .string(sensor.name)]
        json["driver"] = sensor.driver.map { .string($0) }
        json["scale"] = arithmetic.scale.map(numbers)
        json["offset"] = arithmetic.offset.map(numbers)
        json["matrix"] = numbers(sensor.matrix)
        json["matrixSource"] = .string(sensor.matrixSource)
        json["sense"] = arithmetic.sense.map { .string($0) }
        json["rate"] = arithmetic.rate.map { .real($0) }
        return json
    }
}

/// Leaves samples out, so that there are no more in a second than somebody asked for.
nonisolated struct SampleThinning {
    /// Microseconds between two samples, on average.
    private let interval: Int64
    /// When the next sample may be handed out. It goes on by whole intervals, so that samples which come a little early
    /// or late do not lower the rate.
    private var due = Int64.min

    /// Nil leaves none out.
    init(maximumRate: Double?) {
        interval = maximumRate.map { Int64(min(1_000_000 / $0, 1e15)) } ?? 0
    }

    /// Those of the samples that are handed out.
    mutating func thin(_ samples: [MotionSample]) -> [MotionSample] {
        samples.filter { sample in
            guard sample.timestamp >= due else { return false }
            // After a gap it starts anew: what was not used is not made up for.
            due = (due + interval > sample.timestamp ? due : sample.timestamp) + interval
            return true
        }
    }
}

extension MotionSample {
    fileprivate nonisolated var json: JSONObject {
        var json: JSONObject = [
            "timestamp": .integer(timestamp), "x": .real(acceleration.x), "y": .real(acceleration.y),
            "z": .real(acceleration.z),
        ]
        json["raw"] = raw.map { .array($0.map { .real($0) }) }
        return json
    }
}
