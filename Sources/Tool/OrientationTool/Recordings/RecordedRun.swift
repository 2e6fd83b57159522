// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Recordings

/// A recording in memory, up to the first damaged line.
struct RecordedRun {
    /// The largest number of samples: 11 hours at 100 Hz. Each takes 32 bytes, and 56 more for each classifier of a
    /// picture.
    static let limit = 4_000_000

    private(set) var samples: [Sample] = []
    /// The damage after the samples; nil if there is none.
    private(set) var damage: Failure?

    init(_ input: SampleInput) throws {
        do {
            try input.read {
                guard samples.count < Self.limit else {
                    throw Failure("\(input.name): too many samples: must be at most \(Self.limit)")
                }
                samples.append($0.sample)
            }
        } catch let failure as Failure where !samples.isEmpty && samples.count < Self.limit {
            damage = failure
        }
        guard !samples.isEmpty else { throw Failure("\(input.name): no samples") }
    }
}
