// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Posix

/// A sensor of the lid angle with the decision between tablet and laptop: the event loop is woken only when the result
/// changes.
final class LidSensor: AmbientSensor {
    /// The intervals between readings, in seconds: at rest, a fold takes longer than the difference.
    static let movingInterval = 0.1
    static let restingInterval = 0.5

    /// Returns whether the lid is shut; nil if the switch cannot be read.
    typealias Switch = () -> Bool?

    private(set) var info: SensorDescription
    private let meter: any LidMeter
    /// The lid switch; nil without one that may be opened.
    private let lid: Switch?
    private var decision = TabletDecision()
    private var step = LidStep()
    private var rest = RestDetector()
    /// Why the last reading failed; nil if it did not.
    private var failure: String?
    /// Whether a result was delivered. Before, one that may change soon is not.
    private var hasDecided = false

    init(_ info: SensorDescription, _ meter: any LidMeter, lid: Switch? = nil) {
        self.info = info
        self.meter = meter
        self.lid = lid
        self.info.method? += lid == nil ? ", without a lid switch" : ", with the lid switch"
    }

    func next(at now: Double) throws(SensorFailure) -> SensorStep<AmbientReading> {
        let isShut = lid.flatMap { $0() }
        decision.lidChanged(isShut: isShut, at: now)
        if isShut != true { decision.handle(try reading(at: now), at: now) }
        if decision.hasFailed {
            let cause = failure.map { ": \($0)" } ?? info.advice
            throw .failed("\(info.id): no reliable lid angle for \(Int(TabletDecision.longestFault)) s\(cause)")
        }
        let wait = wait(at: now)
        // After a hang every result is new to the event loop, which then waits for one that is measured.
        guard let angle = decision.angle, !decision.isFaulty, hasDecided || !decision.isDeciding else {
            return .wait(wait)
        }
        hasDecided = true
        step.follow(angle)
        let posture = LidPosture(
            isTablet: decision.isTablet, angle: step.degrees, isAmbiguous: decision.isAmbiguous,
            certainMode: decision.certainMode)
        return .sample(.lid(posture), then: wait)
    }

    private func reading(at now: Double) throws(SensorFailure) -> LidReading {
        do throws(SensorFailure) {
            let reading = try meter.read(at: now)
            failure = nil
            // A hung hub returns zeros in the end.
            return BootClock.now() - now <= Polling.longestRead ? reading : .unreliable
        } catch .failed(let reason) {
            failure = reason
            return .unreliable
        }
    }

    private func wait(at now: Double) -> SourceWait {
        // An angle near 360 is near 0, too.
        let radians = (decision.angle ?? 0) * .pi / 180
        rest.read(Acceleration(x: cos(radians), y: sin(radians), z: 0), at: now)
        guard rest.isResting, !decision.isDeciding, !decision.isBecomingCertain else {
            return .pause(seconds: Self.movingInterval)
        }
        guard !decision.isFaulty, let motion = meter.display?.awaitMotion(at: now) else {
            return .pause(seconds: Self.restingInterval)
        }
        // A fold of the base alone, without any motion of the display, is detected up to 4.5 s late.
        return .input(descriptor: motion, seconds: PollingPace.intervalWithEvents)
    }

    /// Opens the lid switch; nil without one that may be opened.
    static func lidSwitch(_ facts: HardwareFacts) throws(SensorFailure) -> Switch? {
        for node in facts.inputSwitches {
            let attributes = try InputAttributes(node: node)
            guard attributes.has(.lid), attributes.switchRejection == nil else { continue }
            do throws(Errno) {
                let lid = try SwitchNode(.lid, node: node)
                // While EVIOCGSW fails, the angle alone decides, as without a switch.
                return { try? lid.isClosed() }
            } catch {
                // One that may not be opened, or was removed, is none.
                if !error.isDenial, !error.isRemoval { throw .failed("lid switch \(node): cannot open: \(error)") }
            }
        }
        return nil
    }
}

extension SensorDescription {
    /// What to check if the angle is never reliable, for a message.
    fileprivate var advice: String {
        location == AccelerometerPair.location ? "; check the mount matrices of both accelerometers" : ""
    }
}
