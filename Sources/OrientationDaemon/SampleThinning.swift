// SPDX-License-Identifier: Apache-2.0

internal import Sensing

/// Leaves samples out, so that there are no more in a second than somebody asked for.
nonisolated struct SampleThinning {
    /// Microseconds between two samples, on average.
    private let interval: Int64
    /// When the next sample may be handed out. It goes on by whole intervals, so that samples which come a little early
    /// or late do not lower the rate.
    private var due = Int64.min

    init(maximumRate: Double) {
        interval = Int64(min(1_000_000 / maximumRate, 1e15))
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
