// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationDaemon
@testable import Sensors

@Suite struct DownsamplingTests {
    /// A second of samples at 100 Hz.
    private let samples = (0..<100).map {
        MotionSample(timestamp: Int64($0) * 10_000, acceleration: Acceleration(x: 0, y: 9.8, z: 0))
    }

    @Test(arguments: [(1_000.0, 100), (50, 50), (25, 25), (10, 10), (1, 1), (0.001, 1), (1e-300, 1)])
    func `a subscriber receives no more samples in a second than it asked for`(maximumRate: Double, count: Int) {
        var downsampling = Downsampling(maximumRate: maximumRate)
        #expect(downsampling.keep(samples).count == count)
    }

    @Test(arguments: [(100.0, 95...100), (50, 49...51), (40, 39...41)])
    func `samples that come a little early or late do not lower the rate`(rate: Double, count: ClosedRange<Int>) {
        var downsampling = Downsampling(maximumRate: rate)
        let jittered = samples.enumerated().map { index, sample in
            MotionSample(
                timestamp: sample.timestamp + Int64(index * 7_919 % 1_600) - 800, acceleration: sample.acceleration)
        }
        #expect(count.contains(downsampling.keep(jittered).count))
    }

    @Test func `consecutive batches are downsampled as one sequence`() {
        var downsampling = Downsampling(maximumRate: 10)
        let kept = stride(from: 0, to: 100, by: 7).flatMap { start in
            downsampling.keep(Array(samples[start..<min(start + 7, 100)]))
        }
        #expect(kept.map(\.timestamp) == (0..<10).map { Int64($0) * 100_000 })
    }
}
