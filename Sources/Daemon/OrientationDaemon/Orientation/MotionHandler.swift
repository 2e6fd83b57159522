// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import OrientationWire
internal import Sensors
internal import Varlink
internal import VarlinkServer

/// The handler of `org.orientationd.Motion`: sends samples to trusted clients.
struct MotionHandler: CallHandler {
    let interface = MotionInterface.name
    private var subscribers: [ClientID: Subscriber] = [:]
    private var rate: Double?

    private struct Subscriber {
        /// The largest number of samples per second; nil for all samples of the sensor.
        let maximumRate: Double?
        var downsampling: Downsampling?
        /// Whether the subscriber has unsent bytes: it misses samples meanwhile, because samples are not queued.
        var isBehind = false
        var sentOrigin: MotionOrigin?
        var sentObstacle: String?
    }

    func requirement(for call: Call) -> Authority.Requirement? { .trusted }

    /// Returns the largest number of samples per second; nil for all samples of the sensor.
    func decode(_ call: inout Call, natural: Edge) throws(ErrorReply) -> Double? {
        guard call.mode == .more else { throw .expectedMore }
        let rate: Double? = try call.takeOptional("maximumRate")
        if let rate, rate <= 0 { throw .invalidParameter("maximumRate") }
        return rate
    }

    mutating func handle(_ rate: Double?, from caller: Caller, _ context: CallContext) -> [Effect] {
        subscribers[caller.client] = Subscriber(maximumRate: rate, downsampling: rate.map(Downsampling.init))
        // If the sensor has failed already, no further report follows.
        return updateRate() + send(context.report.obstacle, to: caller.client)
    }

    mutating func clientLeft(_ client: ClientID) -> [Effect] {
        subscribers.removeValue(forKey: client) == nil ? [] : updateRate()
    }

    mutating func subscriberFellBehind(_ client: ClientID) {
        subscribers[client]?.isBehind = true
    }

    /// Handles a subscriber without unsent bytes; `report` is the last one.
    mutating func subscriberCaughtUp(_ client: ClientID, _ report: SensorState) -> [Effect] {
        subscribers[client]?.isBehind = false
        return send(report.obstacle, to: client)
    }

    mutating func handle(_ report: SensorState) -> [Effect] {
        subscribers.keys.flatMap { send(report.obstacle, to: $0) }
    }

    /// Sends samples; `origin` describes their sensor; nil while no sensor is open.
    mutating func handle(_ samples: [MotionSample], from origin: MotionOrigin?) -> [Effect] {
        subscribers.keys.compactMap { client in
            guard var subscriber = subscribers[client], !subscriber.isBehind else { return nil }
            let kept = subscriber.downsampling?.keep(samples) ?? samples
            guard !kept.isEmpty else { return nil }
            let isKnown = subscriber.sentOrigin.map { origin?.means(sameAs: $0) ?? true } ?? (origin == nil)
            if !isKnown { subscriber.sentOrigin = origin }
            subscribers[client] = subscriber
            return .reply(client, Self.reply(kept, isKnown ? nil : origin))
        }
    }

    /// Requests the rate of the most demanding subscriber.
    private mutating func updateRate() -> [Effect] {
        let new = subscribers.values.map { $0.maximumRate ?? 0 }.max()
        guard new != rate else { return [] }
        rate = new
        return [.setMotionRate(new), .raise(.sensorDemand(.motion, new != nil, for: nil))]
    }

    /// Sends the reason without samples, unless it was sent already; nil while samples are available.
    private mutating func send(_ obstacle: String?, to client: ClientID) -> [Effect] {
        guard let subscriber = subscribers[client], !subscriber.isBehind, subscriber.sentObstacle != obstacle else {
            return []
        }
        subscribers[client]?.sentObstacle = obstacle
        // The next samples show that the obstacle has ended.
        guard let obstacle else { return [] }
        let reply: JSONObject = ["samples": [], "reason": .string(obstacle)]
        return [.reply(client, EncodedMessage(reply: reply, continues: true))]
    }

    private static func reply(_ samples: [MotionSample], _ origin: MotionOrigin?) -> EncodedMessage {
        var reply: JSONObject = ["samples": .array(samples.map { .object($0.json) })]
        reply["origin"] = origin.map { .object($0.json) }
        return EncodedMessage(reply: reply, continues: true)
    }
}

extension SensorState {
    /// Why no samples are available; nil while they are.
    fileprivate var obstacle: String? {
        switch self {
        case .unavailable(let reason), .ended(let reason): reason
        case .off, .starting, .withoutGravity, .decided, .read: nil
        }
    }
}

/// Downsampling to the rate that a subscriber requested.
struct Downsampling {
    /// Microseconds between two samples, on average.
    private let interval: Int64
    /// When the next sample is due, in microseconds. It advances by whole intervals, so that samples that come a little
    /// early or late do not lower the rate.
    private var due = Int64.min

    /// Keeps at most `maximumRate` samples per second, more than 0.
    init(maximumRate: Double) {
        interval = Int64(min(1_000_000 / maximumRate, 1e15))
    }

    /// The samples that are sent.
    mutating func keep(_ samples: [MotionSample]) -> [MotionSample] {
        samples.filter { sample in
            guard sample.timestamp >= due else { return false }
            // After a gap the schedule restarts: missed samples are not replaced.
            due = (due + interval > sample.timestamp ? due : sample.timestamp) + interval
            return true
        }
    }
}

/// The facts about the sensor that a client needs to interpret its samples.
struct MotionOrigin {
    let sensor: SensorDescription
    let conversion: Conversion

    /// Returns whether samples of both origins are comparable; the rate does not matter.
    func means(sameAs other: MotionOrigin) -> Bool {
        sensor.id == other.sensor.id && sensor.name == other.sensor.name && sensor.driver == other.sensor.driver
            && sensor.matrix == other.sensor.matrix && sensor.matrixSource == other.sensor.matrixSource
            && conversion.scale == other.conversion.scale && conversion.offset == other.conversion.offset
            && conversion.sense == other.conversion.sense && conversion.classifier == other.conversion.classifier
    }

    var json: JSONObject {
        let numbers = { (values: [Double]) in JSONValue.array(values.map { .real($0) }) }
        var json: JSONObject = ["device": .string(sensor.name)]
        json["driver"] = sensor.driver.map { .string($0) }
        json["scale"] = conversion.scale.map(numbers)
        json["offset"] = conversion.offset.map(numbers)
        json["matrix"] = numbers(sensor.matrix)
        json["matrixSource"] = .string(sensor.matrixSource)
        json["sense"] = conversion.sense.map { .string($0) }
        json["rate"] = conversion.rate.map { .real($0) }
        json["classifier"] = conversion.classifier.map { .string($0.description) }
        return json
    }
}

extension MotionSample {
    var json: JSONObject {
        var json: JSONObject = [
            "timestamp": .integer(timestamp), "x": .real(acceleration.x), "y": .real(acceleration.y),
            "z": .real(acceleration.z),
        ]
        json["raw"] = raw.map { .array($0.map { .real($0) }) }
        return json
    }
}
