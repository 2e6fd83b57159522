// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestSupport
import Testing

@testable import Sensors

@Suite struct ReplayTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func replay(_ text: String, _ options: String = "", name: String = "recording.csv") throws
        -> any Accelerometer
    {
        let path = folder.path(name)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return try ReplaySource.row.open(path + options, HardwareFacts())
    }

    @Test func `samples are delivered when they are due in real time`() throws {
        let source = try replay("0,0,9.8,0\n0.5,9.8,0,0\n")
        #expect(try source.next(at: 100) == .sample(Sample(time: 0, acceleration: Acceleration(x: 0, y: 9.8, z: 0))))
        #expect(try source.next(at: 100.1) == .pause(seconds: 0.4000000000000057))
        #expect(
            try source.next(at: 100.5) == .sample(Sample(time: 0.5, acceleration: Acceleration(x: 9.8, y: 0, z: 0))))
        #expect(try source.next(at: 100.5) == .end(reason: "end of recording"))
    }

    private static let wide = """
        # orientationd recording 1
        # natural: landscapeLeft
        t,x,y,z,raw_x,raw_y,raw_z
        0,0,9.8,0,,,
        # samples: 1

        """

    @Test func `the natural orientation of a file is known when it is opened, and unknown without the line`() throws {
        let source = try replay(Self.wide)
        #expect(source.info.natural == .landscapeLeft && source.info.naturalSource == "recording")
        guard case .sample = try source.next(at: 100) else { throw Unexpected() }
        #expect(try source.next(at: 100) == .end(reason: "end of recording"))
        let old = try replay("0,0,9.8,0\n")
        #expect(old.info.natural == nil && old.info.naturalSource == nil)
    }

    @Test func `the natural orientation of a pipe is known with its first sample`() throws {
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let source = try ReplaySource.row.open(path, HardwareFacts())
        let writer = try #require(FileHandle(forWritingAtPath: path))
        #expect(source.info.natural == nil)
        try writer.write(contentsOf: Data(Self.wide.utf8))
        guard case .sample = try source.next(at: 100) else { throw Unexpected() }
        #expect(source.info.natural == .landscapeLeft)
    }

    @Test func `a paused recording continues where it stopped, after any time`() throws {
        let source = try replay("0,0,9.8,0\n1,9.8,0,0\n2,0,9.8,0\n")
        _ = try source.next(at: 100)
        guard case .sample(let second, _) = try source.next(at: 5_000) else { throw Unexpected() }
        #expect(second.time == 1)
        #expect(try source.next(at: 5_000) == .pause(seconds: 1))
    }

    @Test func `speed scales the intervals, and max removes them`() throws {
        let double = try replay("0,0,9.8,0\n1,9.8,0,0\n", "?speed=2")
        _ = try double.next(at: 10)
        #expect(try double.next(at: 10) == .pause(seconds: 0.5))
        let fast = try replay("0,0,9.8,0\n3600,9.8,0,0\n", "?speed=max")
        _ = try fast.next(at: 10)
        guard case .sample(let last, _) = try fast.next(at: 10) else { throw Unexpected() }
        #expect(last.time == 3600)
    }

    /// Returns the recorded times of the next samples, and the real time of the last one.
    private func play(_ source: any Accelerometer, _ count: Int, lateness: Double = 0) throws -> ([Double], Double) {
        var times: [Double] = []
        var now = 10.0
        while times.count < count {
            switch try source.next(at: now) {
            case .sample(let sample, _): times.append(sample.time)
            case .wait(.pause(let seconds)): now += seconds + lateness
            case .wait, .end: throw Unexpected()
            }
        }
        return (times, now - 10)
    }

    @Test(arguments: ["?speed=max&loop=1", "?loop=1"])
    func `with loop the recording starts over, with its clock`(options: String) throws {
        #expect(try play(try replay("0,0,9.8,0\n1,9.8,0,0\n", options), 5).0 == [0, 1, 0, 1, 0])
    }

    @Test func `a loop of a single sample waits between the samples`() throws {
        #expect(try play(try replay("0,0,9.8,0\n", "?loop=1"), 101).1 > 3.9)
        #expect(try play(try replay("0,0,9.8,0\n", "?speed=max&loop=1"), 101).1 > 0.099)
    }

    @Test(arguments: [(1.0, 9.99), (4, 2.4975), (100, 0.0999)])
    func `late wake-ups do not slow a recording down`(speed: Double, expected: Double)
        throws
    {
        let lines = (0..<1_000).map { "\(Double($0) / 100),0,9.8,0\n" }.joined()
        let (_, took) = try play(try replay(lines, "?speed=\(speed)"), 1_000, lateness: 0.0007)
        #expect(took >= expected)
        #expect(took < expected + 0.002)
    }

    @Test func `a pipe without a writer is polled until one opens it`() throws {
        let path = folder.path("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let source = try ReplaySource.row.open(path, HardwareFacts())
        #expect(try source.next(at: 0) == .pause(seconds: 0.2))
        let writer = try #require(FileHandle(forUpdatingAtPath: path))
        try writer.write(contentsOf: Data("0,0,9.8,0\n1,0,9.8,0\n".utf8))
        guard case .sample = try source.next(at: 0) else { throw Unexpected() }
    }

    @Test func `a recording supports backpressure, and a chip does not`() throws {
        #expect(try replay("0,0,9.8,0\n").supportsBackpressure)
        #expect(try !FakeSource.row(SimulatedDevice()).open("", HardwareFacts()).supportsBackpressure)
    }

    @Test func `an invalid line ends the replay with its number, after the samples before it`() throws {
        let source = try replay("0,0,9.8,0\n1,x,0,0\n", "?speed=max")
        guard case .sample = try source.next(at: 0) else { throw Unexpected() }
        #expect {
            try source.next(at: 0)
        } throws: { error in
            "\(error)".contains("line 2") && (error as? SensorFailure)?.isWorthRetrying == false
        }
    }

    @Test(arguments: ["?speed=0", "?speed=-1", "?speed=fast", "?speed=1e9", "?loop=2", "?sped=2", "?speed"])
    func `an invalid option is refused`(options: String) throws {
        #expect(throws: OpenFailure.self) { try replay("0,0,9.8,0\n", options) }
    }

    @Test func `a missing file can be retried, a directory cannot`() throws {
        #expect {
            try ReplaySource.row.open(folder.path("nothing.csv"), HardwareFacts())
        } throws: {
            if case .noDevice? = ($0 as? OpenFailure)?.reason { true } else { false }
        }
        #expect {
            try ReplaySource.row.open(folder.path(""), HardwareFacts())
        } throws: {
            "\($0)".contains("is a directory")
        }
    }

    @Test func `an empty recording is an error, also with loop`() throws {
        let source = try replay("# nothing\n", "?loop=1")
        #expect(throws: SensorFailure.self) { try source.next(at: 0) }
    }

    @Test func `a file name may contain commas, question marks and spaces`() throws {
        let source = try replay("0,0,9.8,0\n", name: "a, b? c.csv")
        guard case .sample = try source.next(at: 0) else { throw Unexpected() }
    }
}

private struct Unexpected: Error {}
