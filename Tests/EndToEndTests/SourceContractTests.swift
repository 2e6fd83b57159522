// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What every source of samples does alike, whatever is behind it.
@Suite(.serialized) struct EverySource {
    /// A daemon with a source, and the means to turn what the source measures: with its x, y or z axis up.
    final class Bench {
        let daemon: RunningDaemon
        let hold: (Int, Int, Int) throws -> Void
        /// Lets the source fail, in the way it can.
        let fail: () throws -> Void
        /// Lets it work again; nil where what has ended stays so.
        let mend: (() throws -> Void)?
        private let others: [Any]
        private let end: () -> Void

        init(
            _ daemon: RunningDaemon, keeping others: [Any] = [], atEnd end: @escaping () -> Void = {},
            hold: @escaping (Int, Int, Int) throws -> Void, fail: @escaping () throws -> Void,
            mend: (() throws -> Void)? = nil
        ) {
            self.daemon = daemon
            self.end = end
            self.others = others
            self.hold = hold
            self.fail = fail
            self.mend = mend
        }

        deinit {
            end()
        }
    }

    /// The sources; a new one is a row here too.
    enum Source: String, CaseIterable, CustomTestStringConvertible {
        case polled, captured, network, recording, simulation

        var testDescription: String { rawValue }

        /// How the list says that it is read, where there is more than one way.
        var reading: String? {
            switch self {
            case .polled: "polled: the device has no buffer"
            case .captured: "captured from its buffer, trigger kxcjk1013-dev0"
            case .network: "polled: remote device"
            case .recording, .simulation: nil
            }
        }

        func bench() throws -> Bench {
            switch self {
            case .polled: try polled()
            case .captured: try captured()
            case .network: try network()
            case .recording: try recording()
            case .simulation: try simulation()
            }
        }

        private func polled() throws -> Bench {
            let daemon = try RunningDaemon([], devices: [.upright])
            guard let machine = daemon.machine else { throw Surprise("there is no machine") }
            return Bench(daemon) {
                try machine.hold(.upright, $0, $1, $2)
            } fail: {
                try machine.set(.upright, "in_accel_x_raw", to: "garbage")
            } mend: {
                try machine.hold(.upright, 0, 1, 0)
            }
        }

        private func captured() throws -> Bench {
            let daemon = try RunningDaemon([], devices: [.speaking])
            guard let machine = daemon.machine else { throw Surprise("there is no machine") }
            // Single readings give nothing: what arrives was captured.
            try machine.set(.speaking, "in_accel_x_raw", to: "garbage")
            let chip = MeasuringChip(try Scans(machine, .speaking))
            return Bench(daemon) {
                chip.hold($0, $1, $2)
            } fail: {
                chip.stop()
            } mend: {
                chip.hold(0, 1, 0)
            }
        }

        private func network() throws -> Bench {
            var chip = Machine.Device.upright
            chip.attributes["mount_matrix"] = "-1, 0, 0; 0, -1, 0; 0, 0, -1"
            let folder = try TemporaryFolder()
            let port = try freePort()
            let start = { [chip] in try Machine([chip], in: folder, running: "exec iiod -p \(port)") }
            var board = try start()
            let daemon = try RunningDaemon(["--sensor", "iio:ip:127.0.0.1:\(port)"])
            return Bench(daemon, keeping: [folder], atEnd: { board.program.send(SIGKILL) }) { [chip] in
                try board.hold(chip, $0, $1, $2)
            } fail: {
                board.program.send(SIGKILL)
                _ = board.program.wait()
            } mend: {
                board = try start()
            }
        }

        private func recording() throws -> Bench {
            let folder = try TemporaryFolder()
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
            func simulate(_ words: String...) throws {
                let run = try RunningProgram.run(Programs.tool, ["--socket", daemon.socket, "simulate"] + words)
                guard run.status == 0 else { throw Surprise(run.errors) }
            }
            return Bench(daemon) { x, y, z in
                try simulate("read", "\(Double(x) * 9.8)", "\(Double(y) * 9.8)", "\(Double(z) * 9.8)")
            } fail: {
                try simulate("fail", "failed", "--duration", "1")
            } mend: {
            }
        }
    }

    /// The vector that the list has for the sensor in use, and how that is read.
    private func reading(_ daemon: RunningDaemon) throws -> (vector: [Double], used: String) {
        let list = try daemon.runTool("sensors").output
        let line = try #require(list.first { $0.hasPrefix("    last vector: ") })
        let numbers = line.split(separator: ":")[1].split(whereSeparator: { ", ".contains($0) })
        return (
            numbers.prefix(3).compactMap { Double($0) }, try #require(list.first { $0.hasPrefix("    used: ") })
        )
    }

    @Test(arguments: Source.allCases)
    func `starts with the first who listens, tells each turn and its own name, and stops with the last`(
        source: Source
    ) throws {
        let bench = try source.bench()
        // At the start the group and the tablet switch are looked up on threads of their own.
        #expect(eventually { bench.daemon.threads == 1 })
        try bench.hold(0, 1, 0)
        let watch = try bench.daemon.tool("watch", "--json")
        let states = try watch.states(until: "portrait")
        #expect(states.first?.orientation == "unknown")
        #expect(states.first?.reason == "starting")
        #expect(states.last?.reason == nil)
        #expect(states.last?.sensor?.isEmpty == false)
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
        #expect(eventually { bench.daemon.threads == 1 })
    }

    @Test(arguments: Source.allCases)
    func `is there again for who comes back, and ends with the daemon`(source: Source) throws {
        let bench = try source.bench()
        try bench.hold(0, -1, 0)
        let first = try bench.daemon.tool("watch", "--json")
        _ = try first.states(until: "portraitUpsideDown")
        first.send(SIGTERM)
        #expect(eventually { bench.daemon.threads == 1 })
        let second = try bench.daemon.tool("watch", "--json")
        _ = try second.states(until: "portraitUpsideDown")
        try bench.hold(-1, 0, 0)
        #expect(try second.states(until: "landscapeRight").last?.reason == nil)
        bench.daemon.program.send(SIGTERM)
        #expect(bench.daemon.program.wait() == 0)
    }

    @Test(arguments: Source.allCases)
    func `tells why it says no more, keeps who watches, and goes on by itself`(source: Source) throws {
        let bench = try source.bench()
        try bench.hold(0, 1, 0)
        let watch = try bench.daemon.tool("watch", "--json")
        _ = try watch.states(until: "portrait")
        try bench.fail()
        let told = try watch.state { $0.reason != nil }
        #expect(told.reason?.isEmpty == false)
        // A recording has said all there is to know.
        #expect(told.orientation == (source == .recording ? "portrait" : "unknown"))
        #expect(told.lastEdge == "portrait")
        guard let mend = bench.mend else { return }
        try mend()
        #expect(try watch.states(until: "portrait").last?.reason == nil)
    }

    @Test(arguments: Source.allCases)
    func `lists its sensors, one of them chosen, and says why`(source: Source) throws {
        let bench = try source.bench()
        let list = try bench.daemon.runTool("sensors").output
        #expect(list.filter { $0.hasPrefix("* ") }.count == 1)
        #expect(list.contains { $0.hasPrefix("    used: ") && $0.count > "    used: ".count })
    }
}
