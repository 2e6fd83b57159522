// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What every source of samples does alike, whatever is behind it.
@Suite(.serialized) struct EverySource {
    /// A daemon with a source, and the means to turn what the source measures: with its x, y or z axis up.
    final class Bench {
        let daemon: RunningDaemon
        let hold: (Int, Int, Int) throws -> Void
        private let others: [Any]
        private let end: () -> Void

        init(
            _ daemon: RunningDaemon, keeping others: [Any] = [], atEnd end: @escaping () -> Void = {},
            hold: @escaping (Int, Int, Int) throws -> Void
        ) {
            self.daemon = daemon
            self.end = end
            self.others = others
            self.hold = hold
        }

        deinit {
            end()
        }
    }

    /// The sources; a new one is a row here too.
    enum Source: String, CaseIterable, CustomTestStringConvertible {
        case polled, captured, network, recording, simulation

        var testDescription: String { rawValue }

        func bench() throws -> Bench {
            switch self {
            case .polled:
                let daemon = try RunningDaemon([], devices: [.upright])
                return Bench(daemon) { try daemon.machine?.hold(.upright, $0, $1, $2) }
            case .captured:
                let daemon = try RunningDaemon([], devices: [.speaking])
                guard let machine = daemon.machine else { throw Surprise("there is no machine") }
                let scans = try Scans(machine, .speaking)
                return Bench(daemon, keeping: [scans]) {
                    // Where the scans come too late for the daemon's patience, single readings say the same.
                    try machine.hold(.speaking, $0, $1, $2)
                    try scans.hold($0, $1, $2)
                }
            case .network:
                var chip = Machine.Device.upright
                chip.attributes["mount_matrix"] = "-1, 0, 0; 0, -1, 0; 0, 0, -1"
                let folder = try TemporaryFolder()
                let port = try freePort()
                let board = try Machine([chip], in: folder, running: "exec iiod -p \(port)")
                let daemon = try RunningDaemon(["--sensor", "iio:ip:127.0.0.1:\(port)"])
                return Bench(daemon, keeping: [folder, board], atEnd: { board.program.send(SIGKILL) }) {
                    try board.hold(chip, $0, $1, $2)
                }
            case .recording:
                let folder = try TemporaryFolder()
                let path = folder.path + "/pipe"
                mkfifo(path, 0o600)
                let daemon = try RunningDaemon(["--sensor", "replay:\(path)?speed=max"])
                let descriptor = open(path, O_RDWR | O_CLOEXEC)
                let pipe = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
                var time = 0.0
                return Bench(daemon, keeping: [folder]) { x, y, z in
                    for _ in 0..<50 {
                        time += 0.04
                        try pipe.write(
                            contentsOf: Data("\(time),\(Double(x) * 9.8),\(Double(y) * 9.8),\(Double(z) * 9.8)\n".utf8))
                    }
                }
            case .simulation:
                let daemon = try RunningDaemon(["--sensor", "fake:"])
                return Bench(daemon) { x, y, z in
                    let vector = [x, y, z].map { "\(Double($0) * 9.8)" }
                    let run = try RunningProgram.run(
                        Programs.tool, ["--socket", daemon.socket, "simulate", "read"] + vector)
                    guard run.status == 0 else { throw Surprise(run.errors) }
                }
            }
        }
    }

    @Test(arguments: Source.allCases)
    func `starts with the first who listens, tells each turn and its own name, and stops with the last`(
        source: Source
    ) throws {
        let bench = try source.bench()
        #expect(bench.daemon.threads == 1)
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
    func `lists its sensors, one of them chosen, and says why`(source: Source) throws {
        let bench = try source.bench()
        let list = try bench.daemon.runTool("sensors").output
        #expect(list.filter { $0.hasPrefix("* ") }.count == 1)
        #expect(list.contains { $0.hasPrefix("    used: ") && $0.count > "    used: ".count })
    }
}
