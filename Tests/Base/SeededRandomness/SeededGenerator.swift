// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Whether sweeps and random tests run all their rows, as `make test ROWS=all` and `make check-release` do.
package let runsAllRows = getenv("ORIENTATIOND_ALL_ROWS") != nil

extension Sequence {
    /// The rows of a sweep that run: all, or the first of ten.
    package var sampled: [Element] {
        enumerated().filter { runsAllRows || $0.offset.isMultiple(of: 10) }.map(\.element)
    }
}

/// A seeded random number generator with the same sequence in every run (SplitMix64; Steele, Lea and Flood, 2014).
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// Returns an approximately normal number with mean 0 and standard deviation 1: the sum of twelve uniform numbers.
    package mutating func normal() -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &self) }
    }
}
