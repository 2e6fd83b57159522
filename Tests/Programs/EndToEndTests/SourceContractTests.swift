// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The contract of every source of samples.
@Suite(.serialized) struct SourceContractTests {
    /// A daemon with a source, and a function that sets the axis that points up.
    final class Bench {
        let daemon: RunningDaemon
        let hold: (Int, Int, Int) throws -> Void
        /// Makes the source fail in its own way.
        let fail: () throws -> Void
        /// Ends the failure; nil if the source cannot recover.
        let recover: (() throws -> Void)?
        private let others: [Any]

        init(
            _ daemon: RunningDaemon, keeping others: [Any] = [],
            hold: @escaping (Int, Int, Int) throws -> Void, fail: @escaping () throws -> Void,
            recover: (() throws -> Void)? = nil
        ) {
            self.daemon = daemon
            self.others = others
            self.hold = hold
            self.fail = fail
            self.recover = recover
        }
    }

    /// The sources; a new source is a row.
    enum Source: String, CaseIterable, CustomTestStringConvertible {
        case polled, captured, input, recording, simulation

        var testDescription: String { rawValue }

        /// The listed way of reading, if the source has more than one.
        var reading: String? {
            switch self {
            case .polled: "polled: the device has no buffer"
            case .captured: "captured from its buffer, trigger kxcjk1013-dev0"
            case .input: "events of the input device"
            case .recording, .simulation: nil
            }
        }

        func bench() throws -> Bench {
            switch self {
            case .polled: try polled()
            case .captured: try captured()
            case .input: try input()
            case .recording: try recording()
            case .simulation: try simulation()
            }
        }

        private func polled() throws -> Bench {
            let daemon = try RunningDaemon([], devices: [.upright])
            guard let machine = daemon.machine else { throw TestFailure("no emulated machine") }
            return Bench(daemon) {
                try machine.hold(.upright, $0, $1, $2)
            } fail: {
                try machine.set(.upright, "in_accel_x_raw", to: "garbage")
            } recover: {
                try machine.hold(.upright, 0, 1, 0)
            }
        }

        private func captured() throws -> Bench {
            let daemon = try RunningDaemon([], devices: [.buffered])
            guard let machine = daemon.machine else { throw TestFailure("no emulated machine") }
            let chip = MeasuringChip(try Scans(machine, .buffered))
            let hold: (Int, Int, Int) throws -> Void = { x, y, z in
                // With the same vector in the attributes, a late scan does not end the capture.
                try machine.hold(.buffered, x, y, z)
                chip.hold(x, y, z)
            }
            return Bench(daemon, hold: hold) {
                try machine.set(.buffered, "in_accel_x_raw", to: "garbage")
                chip.stop()
            } recover: {
                try hold(0, 1, 0)
            }
        }

        private func input() throws -> Bench {
            let device = Machine.InputDevice()
            let daemon = try RunningDaemon([], devices: [], inputs: [device])
            guard let machine = daemon.machine else { throw TestFailure("no emulated machine") }
            let events = try Machine.InputEvents(machine, device)
            return Bench(daemon) {
                events.hold($0, $1, $2)
            } fail: {
                events.unplug()
            } recover: {
                try events.plug()
                events.hold(0, 1, 0)
            }
        }

        private func recording() throws -> Bench {
            let folder = try TemporaryDirectory()
            let path = folder.path + "/pipe"
            mkfifo(path, 0o600)
            let daemon = try RunningDaemon(["--sensor", "replay:\(path)?speed=max"])
            let pipe = FileHandle(fileDescriptor: open(path, O_RDWR | O_CLOEXEC), closeOnDealloc: true)
            var time = 0.0
            return Bench(daemon, keeping: [folder]) { x, y, z in
                for _ in 0..<50 {
                    time += 0.04
                    try pipe.write(
                        contentsOf: Data("\(time),\(Double(x) * 9.8),\(Double(y) * 9.8),\(Double(z) * 9.8)\n".utf8))
                }
            } fail: {
                try pipe.close()
            }
        }

        private func simulation() throws -> Bench {
            let daemon = try RunningDaemon(["--sensor", "fake:"])
            return Bench(daemon) { x, y, z in
                try daemon.simulate("read", "\(Double(x) * 9.8)", "\(Double(y) * 9.8)", "\(Double(z) * 9.8)")
            } fail: {
                try daemon.simulate("fail", "failed", "--duration", "3600")
            } recover: {
                try daemon.simulate("fail", "failed", "--duration", "0")
            }
        }
    }

    /// The listed reading of the sensor in use, and the way of reading.
    private func reading(_ daemon: RunningDaemon) throws -> (vector: [Double], used: String) {
        let list = try daemon.runTool("sensors").output
        let line = try #require(list.first { $0.hasPrefix("    last vector: ") })
        let numbers = line.split(separator: ":")[1].split(whereSeparator: { ", ".contains($0) })
        let kinds = ["light", "proximity", "compass"].map { "* \($0): " }
        #expect(list.count { line in line.hasPrefix("* ") && !kinds.contains(where: line.hasPrefix) } == 1)
        return (
            numbers.prefix(3).compactMap { Double($0) }, try #require(list.first { $0.hasPrefix("    used: ") })
        )
    }

    @Test(arguments: Source.allCases)
    func `a source starts with the first subscriber, sends each turn, stops with the last one, and starts again`(
        source: Source
    ) throws {
        let bench = try source.bench()
        #expect(eventually { bench.daemon.sensorThreads.isEmpty })
        try bench.hold(0, 1, 0)
        let watch = try bench.daemon.tool("watch", "--json")
        let states = try watch.states(until: "portrait")
        // The first state waits for the search for a lid angle, and may have the first reading.
        #expect(states.dropLast().allSatisfy { $0.orientation == "unknown" && $0.reason == "starting" })
        #expect(states.last?.reason == nil && states.last?.sensor?.isEmpty == false)
        #expect(eventually { bench.daemon.sensorThreads == ["sensor"] })
        for (x, y, z, name) in [(1, 0, 0, "landscapeLeft"), (0, 0, 1, "faceUp"), (0, 0, -1, "faceDown")] {
            try bench.hold(x, y, z)
            let state = try watch.state()
            #expect(state.orientation == name)
            #expect(state.sensor == states.last?.sensor)
        }
        let (vector, used) = try reading(bench.daemon)
        #expect(zip(vector, [0, 0, -9.8]).allSatisfy { abs($0 - $1) < 0.5 } && vector.count == 3)
        if let reading = source.reading { #expect(used.contains(reading)) }
        watch.send(SIGTERM)
        #expect(eventually { bench.daemon.sensorThreads.isEmpty })
        // The kernel keeps the values of an input device while it is closed; a FIFO does not.
        try bench.hold(0, -1, 0)
        let second = try bench.daemon.tool("watch", "--json")
        _ = try second.states(until: "portraitUpsideDown")
        try bench.hold(-1, 0, 0)
        #expect(try second.states(until: "landscapeRight").last?.reason == nil)
        bench.daemon.end()
    }

    @Test(arguments: Source.allCases)
    func `a failing source sends its reason, keeps the subscribers, and recovers`(source: Source) throws {
        let bench = try source.bench()
        try bench.hold(0, 1, 0)
        let watch = try bench.daemon.tool("watch", "--json")
        _ = try watch.states(until: "portrait")
        try bench.fail()
        let failed = try watch.state { $0.reason != nil }
        #expect(failed.reason?.isEmpty == false)
        // A recording does not recover from its end.
        #expect(failed.orientation == (source == .recording ? "portrait" : "unknown"))
        #expect(failed.lastEdge == "portrait")
        guard let recover = bench.recover else { return }
        try recover()
        #expect(try watch.states(until: "portrait").last?.reason == nil)
    }
}
