// SPDX-License-Identifier: Apache-2.0

internal import OrientationWire
internal import Sensing
internal import Varlink

/// Answers `org.orientationd.Motion`: hands the samples themselves to those who may know them.
final class MotionCalls: InterfaceCalls {
    let interface = MotionInterface.name
    private let sensor: SensorControl
    private var followers: [Int: Follower] = [:]
    /// Why no samples can come; nil while they can.
    private var obstacle: String?

    /// Continues the answer to a subscriber that is caught up.
    var tell: @MainActor (ClientSession, EncodedMessage) -> Void = { _, _ in }

    /// One who follows the motion.
    private struct Follower {
        let session: ClientSession
        /// Nil is whatever the sensor gives.
        let maximumRate: Double?
        var thinning: SampleThinning?
        var toldOrigin: MotionOrigin?
        var toldObstacle: String?
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
        followers[session.id] = Follower(
            session: session, maximumRate: rate, thinning: rate.map(SampleThinning.init))
        session.isSubscriber = true
        follow()
        // Where the sensor has failed already, nothing new is going to be said of it.
        tellObstacle(session)
    }

    func forget(_ session: ClientSession) {
        guard followers.removeValue(forKey: session.id) != nil else { return }
        follow()
    }

    /// Lets the sensor give as much as the most demanding follower takes.
    private func follow() {
        sensor.setFollowed(at: followers.values.map { $0.maximumRate ?? 0 }.max())
    }

    /// One that had fallen behind may be told now why nothing comes.
    func hasWritten(to session: ClientSession) {
        tellObstacle(session)
    }

    /// There is something to say about the sensor.
    func take(_ report: SensorReport) {
        switch report {
        case .unavailable(let reason), .ended(let reason): obstacle = reason
        case .off, .starting, .decided: obstacle = nil
        }
        for follower in followers.values { tellObstacle(follower.session) }
    }

    private func tellObstacle(_ session: ClientSession) {
        guard session.isCaughtUp, let follower = followers[session.id], follower.toldObstacle != obstacle else {
            return
        }
        followers[session.id]?.toldObstacle = obstacle
        // That samples can come again is told by those that do.
        guard let obstacle else { return }
        let reply: JSONObject = ["samples": [], "reason": .string(obstacle)]
        tell(session, EncodedMessage(reply: reply, continues: true))
    }

    /// Here are new samples. A follower that does not read misses them: motion is not kept for anybody.
    func take(_ samples: [MotionSample]) {
        let origin = sensor.origin
        // Encoded once for all who want every sample and know where they come from.
        var plain: EncodedMessage?
        for id in followers.keys {
            guard var follower = followers[id], follower.session.isCaughtUp else { continue }
            let kept = follower.thinning?.thin(samples) ?? samples
            guard !kept.isEmpty else { continue }
            let isKnown = follower.toldOrigin.map { origin?.means(sameAs: $0) ?? true } ?? (origin == nil)
            let isPlain = isKnown && follower.thinning == nil
            let message = isPlain ? plain ?? Self.reply(kept, nil) : Self.reply(kept, isKnown ? nil : origin)
            if isPlain { plain = message }
            if !isKnown { follower.toldOrigin = origin }
            followers[id] = follower
            tell(follower.session, message)
        }
    }

    private static func reply(_ samples: [MotionSample], _ origin: MotionOrigin?) -> EncodedMessage {
        var reply: JSONObject = ["samples": .array(samples.map { .object($0.json) })]
        reply["origin"] = origin.map { .object($0.json) }
        return EncodedMessage(reply: reply, continues: true)
    }
}
