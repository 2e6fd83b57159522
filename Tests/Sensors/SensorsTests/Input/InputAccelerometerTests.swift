// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import Posix
import Testing

@testable import Sensors

/// The source `evdev:` with a socket for the event node.
@Suite struct InputAccelerometerTests {
    private let bench: Bench

    init() throws { bench = try Bench() }

    /// A sensor with 100 units per g, and a socket with its events.
    private final class Bench {
        let sensor: InputAccelerometer
        private var writer: Int32
        private(set) var now = 1_000.0

        init(x: Int32 = 0, y: Int32 = -100, z: Int32 = 0, resolution: Int32 = 100) throws {
            var ends: [Int32] = [0, 0]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            try #require(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
            writer = ends[1]
            sensor = InputAccelerometer(
                SensorDescription(id: "event4", name: "test"), node: EventNode(owning: try OwnedDescriptor(ends[0])),
                axes: [x, y, z].map { .init(value: $0, resolution: resolution) },
                frame: DeviceFrame(matrix: .identity, sense: .specificForce))
        }

        deinit { hangUp() }

        func hangUp() {
            guard writer >= 0 else { return }
            // Not only a close: a child that another test forks meanwhile may keep a copy of the descriptor open.
            shutdown(writer, Int32(SHUT_WR))
            close(writer)
            writer = -1
        }

        func send(_ events: (type: UInt16, code: UInt16, value: Int32)...) {
            for event in events {
                var bytes = [UInt8](repeating: 0, count: EventNode.Event.size - 8)
                withUnsafeBytes(of: event.type) { bytes += $0 }
                withUnsafeBytes(of: event.code) { bytes += $0 }
                withUnsafeBytes(of: event.value) { bytes += $0 }
                #expect(write(writer, bytes, bytes.count) == bytes.count)
            }
        }

        /// Runs for a time in seconds without new events; returns the samples and the number of waits.
        func run(seconds: Double) throws -> (samples: [Sample], waits: Int) {
            let end = now + seconds
            var samples: [Sample] = []
            var waits = 0
            while now < end {
                switch try sensor.next(at: now) {
                case .sample(let sample, _): samples.append(sample)
                case .wait(.pause(let wait)), .wait(.input(_, let wait?)):
                    now += wait
                    waits += 1
                default: Issue.record("unexpected step")
                }
            }
            return (samples, waits)
        }
    }

    @Test func `the first sample is read at once, in m/s² and in the device frame`() throws {
        guard case .sample(let sample, _) = try bench.sensor.next(at: 5) else {
            throw SensorFailure.failed("no sample")
        }
        #expect(abs(sample.acceleration.y - Acceleration.standardGravity) < 1e-9)
        #expect(sample.time == 5)
        #expect(bench.sensor.lastRaw != nil)
    }

    @Test func `a turn is followed at 25 Hz, although the last event precedes its end`() throws {
        _ = try bench.run(seconds: 20)
        bench.send((3, 1, 0), (3, 0, -100), (0, 0, 0))
        let samples = try bench.run(seconds: 1).samples
        #expect(samples.count >= 25)
        #expect(samples.allSatisfy { $0.acceleration.x > 9.8 })
    }

    @Test func `at rest there is a sample every 4.5 s, and one wait for each`() throws {
        _ = try bench.run(seconds: 5)
        let (samples, waits) = try bench.run(seconds: 90)
        #expect(samples.count == 20)
        #expect(waits <= 21)
    }

    @Test func `the scale is measured before the interval grows`() throws {
        let bench = try Bench(y: -400, resolution: 0)
        let samples = try bench.run(seconds: 1.1).samples
        let count = Acceleration.standardGravity / Double(InputAccelerometer.usualResolution)
        var (scale, classifier) = (ScaleEstimate(.unknown(count: count)), OrientationClassifier())
        for sample in samples { _ = scale.correct(sample, for: &classifier) }
        #expect(scale.isMeasured)
    }

    @Test func `noise at rest causes at most five samples per second`() throws {
        _ = try bench.run(seconds: 5)
        var count = 0
        let start = bench.now
        for step in 0..<500 {
            bench.send((3, 1, -100 + Int32(step % 3)), (0, 0, 0))
            count += try bench.run(seconds: 0.01).samples.count
        }
        #expect(Double(count) <= (bench.now - start) * 5 + 2)
    }

    @Test func `a motion subscriber gets its rate also at rest`() throws {
        _ = try bench.run(seconds: 5)
        bench.sensor.setMotionRate(100)
        let count = try bench.run(seconds: 1).samples.count
        #expect((99...101).contains(count))
    }

    @Test func `zeros before the first measurement are not a reading`() throws {
        let bench = try Bench(y: 0)
        #expect(try bench.run(seconds: 1).samples.isEmpty)
        bench.send((3, 2, 100), (0, 0, 0))
        #expect(try bench.run(seconds: 1).samples.first.map { $0.acceleration.z > 9.8 } == true)
    }

    @Test func `other events are ignored`() throws {
        bench.send((3, 40, 7), (1, 1, 1), (4, 4, 1), (0, 0, 0))
        #expect(try bench.run(seconds: 1).samples.allSatisfy { $0.acceleration.y > 9.8 })
    }

    @Test func `a removed device is reported as disconnected`() throws {
        _ = try bench.sensor.next(at: 1)
        bench.hangUp()
        #expect {
            try bench.sensor.next(at: 2)
        } throws: { error in
            if case .gone? = error as? SensorFailure { true } else { false }
        }
    }

    @Test func `without a resolution 256 units per g are assumed, and the description states it`() throws {
        let bench = try Bench(y: -256, resolution: 0)
        guard case .sample(let sample, _) = try bench.sensor.next(at: 5) else {
            throw SensorFailure.failed("no sample")
        }
        #expect(abs(sample.acceleration.y - Acceleration.standardGravity) < 1e-9)
        #expect(!bench.sensor.statesScale)
        #expect(bench.sensor.info.method?.contains("assumed: the driver states no resolution") == true)
    }
}
