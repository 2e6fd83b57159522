// SPDX-License-Identifier: Apache-2.0

import Benchmark
import CAllocationCount
import Glibc
import OrientationModel

/// Samples per iteration; times are shown per sample.
private let count = 1_000_000

/// A device that is turned and shaken, 100 samples per second.
private func moved() -> [Sample] {
    var bits: UInt64 = 1
    func noise() -> Double {
        bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(bits >> 11) * 0x1p-53 - 0.5
    }
    return (0..<count).map { index in
        let time = Double(index) / 100
        let (turn, tilt) = (time * 0.9, sin(time * 0.37) * 1.4)
        let shake = 4 * abs(sin(time * 0.05))
        return Sample(
            time: time,
            acceleration: Acceleration(
                x: 9.8 * cos(tilt) * sin(turn) + shake * noise(), y: 9.8 * cos(tilt) * cos(turn) + shake * noise(),
                z: 9.8 * sin(tilt) + shake * noise()))
    }
}

/// A device at rest.
private func still() -> [Sample] {
    (0..<count).map { Sample(time: Double($0) / 100, acceleration: Acceleration(x: 0.1, y: 0.2, z: 9.79)) }
}

/// Allocations in an iteration, counted by a replacement of malloc: the count of the benchmark package needs an
/// interposer that is not used here, and is 0 without it.
private let allocations = BenchmarkMetric.custom(
    "Allocations in a million samples", polarity: .prefersSmaller, useScalingFactor: false)

private func measure(_ name: String, _ samples: [Sample], _ ingest: @escaping (Sample) -> DeviceOrientation?) {
    Benchmark(
        name,
        configuration: .init(
            metrics: [.wallClock, allocations], timeUnits: .nanoseconds, scalingFactor: .mega,
            maxDuration: .seconds(3), maxIterations: 30)
    ) { benchmark in
        let before = allocation_count()
        benchmark.startMeasurement()
        for sample in samples { blackHole(ingest(sample)) }
        benchmark.stopMeasurement()
        benchmark.measurement(allocations, allocation_count() - before)
    }
}

let benchmarks: @Sendable () -> Void = {
    let samples = moved()
    var floor = ThresholdClassifier()
    measure("threshold per sample (floor), moved", samples) { floor.ingest($0) }
    // The timestamps start over with every iteration: one restart of the filter per million samples.
    var classifier = OrientationClassifier()
    measure("OrientationClassifier, moved", samples) { classifier.ingest($0) }
    var resting = OrientationClassifier()
    measure("OrientationClassifier, still", still()) { resting.ingest($0) }
    // Validates the count: one allocation per sample.
    var kept: [Double] = []
    measure("a new array for each sample", Array(samples)) { sample in
        kept = [sample.time]
        return kept.isEmpty ? .portrait : nil
    }
}
