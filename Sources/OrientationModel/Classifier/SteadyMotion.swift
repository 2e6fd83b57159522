// SPDX-License-Identifier: Apache-2.0

/// Whether the direction lately went one way, as in a turn, or to and fro, as in a shake.
struct SteadyMotion: Sendable {
    private var direction = Acceleration(x: 0, y: 0, z: 0)
    private var net = Acceleration(x: 0, y: 0, z: 0)
    private var way = 0.0

    init() {}

    init(from vector: Acceleration) {
        direction = Self.direction(vector)
    }

    /// The net way over the whole way: near 1 in a turn, near 0 in a shake or in stillness.
    var steadiness: Double { net.magnitude / (way + ClassifierLimits.leastWay) }

    mutating func follow(_ vector: Acceleration, _ elapsed: Double) {
        let next = Self.direction(vector)
        let kept = 1 - share(of: elapsed, ClassifierLimits.steadyWindow)
        let step = next - direction
        net = kept * net + step
        way = way * kept + step.magnitude
        direction = next
    }

    /// Of length 1; of a vector too short to have one, shorter.
    private static func direction(_ vector: Acceleration) -> Acceleration {
        (1 / max(vector.magnitude, 0.1)) * vector
    }
}
