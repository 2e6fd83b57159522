// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Random numbers as a pure function of a seed, a place in time and a purpose: the same question has the same answer,
/// in whatever order and at whatever rate one asks.
package struct SeededNoise: Hashable, Sendable {
    package var seed: UInt64

    package init(seed: UInt64) {
        self.seed = seed
    }

    /// From 0 up to, not including, 1, evenly spread.
    package func uniform(at time: Double, _ purpose: UInt64) -> Double {
        Double(bits(time, purpose) >> 11) * 0x1p-53
    }

    /// Mean 0, deviation 1 (Box and Muller's method).
    package func normal(at time: Double, _ purpose: UInt64) -> Double {
        let radius = (-2 * log(1 - uniform(at: time, purpose &* 2))).squareRoot()
        return radius * cos(2 * .pi * uniform(at: time, purpose &* 2 &+ 1))
    }

    private func bits(_ time: Double, _ purpose: UInt64) -> UInt64 {
        mixed(mixed(seed &+ 0x9E37_79B9_7F4A_7C15 &* (purpose &+ 1)) ^ time.bitPattern)
    }

    /// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
    private func mixed(_ value: UInt64) -> UInt64 {
        var bits = value &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
