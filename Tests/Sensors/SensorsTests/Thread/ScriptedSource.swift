// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel

@testable import Sensors

/// A scripted source. Unchecked: all mutable state is behind the lock.
final class ScriptedSource: Accelerometer, @unchecked Sendable {
    enum Action {
        /// A pose, held long enough to be classified.
        case turn(DeviceOrientation)
        /// Upright, leaning back by 40°.
        case lean
        /// Upright, with a vector of this length in m/s².
        case read(Double)
    }

    let info: SensorDescription
    let supportsBackpressure: Bool
    let conversion = Conversion(scale: [1, 1, 1])
    private let lock = NSLock()
    private let last: AccelerometerStep?
    private let factor: Double
    private var samples: [Sample] = []
    private var deliveredCount = 0
    private var clock = 0.0

    /// `factor`: by what factor the scale is wrong.
    init(
        _ actions: [Action], then last: AccelerometerStep?, isRecording: Bool = false, isHardware: Bool = false,
        factor: Double = 1
    ) {
        self.last = last
        self.factor = factor
        var info = SensorDescription(id: "test", name: "scripted")
        info.isHardware = isHardware
        self.info = info
        supportsBackpressure = isRecording
        actions.forEach(add)
    }

    func add(_ action: Action) {
        lock.withLock {
            switch action {
            case .turn(let orientation):
                guard let direction = orientation.direction else { return }
                hold(direction)
            case .lean: hold(Acceleration(x: 0, y: 0.766, z: 0.643))
            case .read(let length): hold(Acceleration(x: 0, y: length / Acceleration.standardGravity, z: 0))
            }
        }
    }

    var samplesLeft: Int { lock.withLock { samples.count - deliveredCount } }

    /// Only with the lock held.
    private func hold(_ direction: Acceleration) {
        for _ in 0..<100 {
            clock += 0.04
            samples.append(Sample(time: clock, acceleration: factor * Acceleration.standardGravity * direction))
        }
    }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        let sample: Sample? = lock.withLock {
            guard deliveredCount < samples.count else { return nil }
            defer { deliveredCount += 1 }
            return samples[deliveredCount]
        }
        if let sample { return .sample(sample) }
        guard let last else { throw .failed("broken") }
        return last
    }
}
