// SPDX-License-Identifier: Apache-2.0

/// Whether the filtered vector lately went one way, as in a turn, or to and fro, as in a shake.
struct SteadyMotion: Sendable {
    private var net = Acceleration(x: 0, y: 0, z: 0)
    private var way = 0.0

    /// The net way over the whole way: near 1 in a turn, near 0 in a shake or in stillness.
    var steadiness: Double { net.magnitude / (way + ClassifierLimits.leastWay) }

    mutating func follow(_ step: Acceleration, _ fading: Fading) {
        net = fading.middle * net + step
        way = fading.middle * way + step.magnitude
    }
}
