// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestServer
import TestSupport
import Testing

/// The sampling frequency of a chip while it is in use, and its restoration.
@Suite(.serialized) struct FrequencyTests {
    /// A sensor hub: buffered, with any frequency.
    private func hub(at frequency: String) -> Machine.Device {
        var hub = Machine.Device.buffered
        hub.attributes["sampling_frequency"] = frequency
        return hub
    }

    /// A polled chip with a list of frequencies.
    private func chip(at frequency: String) -> Machine.Device {
        var chip = Machine.Device.upright
        chip.attributes["sampling_frequency"] = frequency
        chip.attributes["sampling_frequency_available"] = "5 12.5 25 50 100"
        return chip
    }

    /// A daemon with one subscriber.
    private struct Bench {
        let daemon: RunningDaemon
        let machine: Machine
        let device: Machine.Device
        let watch: RunningProgram
        private let chip: MeasuringChip?

        init(_ device: Machine.Device, faults: Faults? = nil) throws {
            self.device = device
            daemon = try RunningDaemon([], devices: [device], faults: faults)
            machine = try #require(daemon.machine)
            chip = device.hasNode ? MeasuringChip(try Scans(machine, device)) : nil
            watch = try daemon.tool("watch", "--json")
        }

        func hold(_ x: Int, _ y: Int, _ z: Int) throws {
            chip?.hold(x, y, z)
            try machine.hold(device, x, y, z)
        }

        /// Waits until the chip is set to this frequency; false after the timeout.
        func isSet(to frequency: String) throws -> Bool {
            try eventually { try machine.value(device, "sampling_frequency") == frequency }
        }

        /// Subscribes to `Motion` at this rate until the client is closed.
        func follower(_ rate: Double) throws -> RawClient {
            let client = try RawClient(to: daemon.socket)
            try client.send(
                #"{"method":"org.orientationd.Motion.Monitor","parameters":{"maximumRate":\#(rate)},"more":true}|"#)
            return client
        }

        /// The restore record that a start after SIGKILL would read.
        var note: String {
            (try? String(contentsOfFile: daemon.folder.path + "/restore-record", encoding: .utf8)) ?? ""
        }
    }

    @Test(arguments: [("50", false), ("1", true)])
    func `a hub with a fixed frequency causes a warning only if it is too slow`(
        frequency: String, isTold: Bool
    ) throws {
        let faults = try Faults()
        try faults.set("write", "/sampling_frequency", EINVAL)
        let bench = try Bench(hub(at: frequency), faults: faults)
        _ = try bench.watch.states(until: "portrait")
        #expect(try bench.machine.value(bench.device, "sampling_frequency") == frequency)
        let warning = "sampling_frequency: cannot set it to 25 Hz: the chip measures at 1 Hz"
        let log = bench.daemon.end()
        #expect(log.contains("sampling_frequency") == isTold)
        #expect(log.contains(warning) == isTold)
    }

    @Test(arguments: [false, true])
    func `a Motion subscriber raises the frequency of a captured chip`(isBusy: Bool) throws {
        let faults = try Faults()
        // Some drivers refuse changes while the buffer runs: it is stopped and started again.
        if isBusy { try faults.set("tune", "/sampling_frequency", EBUSY) }
        let bench = try Bench(hub(at: "50"), faults: faults)
        let before = try #require(try bench.watch.states(until: "portrait").last)
        do {
            let slower = try bench.follower(62.5)
            #expect(try bench.isSet(to: "63"))
            do {
                let faster = try bench.follower(1_000)
                #expect(try bench.isSet(to: "200"))
                let list = { try bench.daemon.runTool("sensors").output }
                #expect(try eventually { try list().contains { $0.contains("200 Hz") } })
                _ = consume faster
            }
            #expect(try bench.isSet(to: "63"))
            #expect(bench.note.contains("frequency=50\n"))
            _ = consume slower
        }
        #expect(try bench.isSet(to: "25"))
        // State subscribers receive none of this.
        try bench.hold(1, 0, 0)
        let after = try bench.watch.state()
        #expect(after.orientation == "landscapeLeft")
        #expect(after.sequence == before.sequence + 1)
        bench.watch.send(SIGTERM)
        #expect(try bench.isSet(to: "50"))
    }

    @Test func `a polled chip keeps the frequency of another program that captures from it`()
        throws
    {
        var device = chip(at: "25")
        device.attributes["buffer/enable"] = "0"
        let bench = try Bench(device)
        _ = try bench.watch.states(until: "portrait")
        try bench.machine.set(device, "buffer/enable", to: "1")
        #expect(try bench.daemon.record("--rate", "50").output.contains { $0.hasPrefix("# rate: 25") })
        #expect(bench.note.isEmpty)
    }

    @Test func `a frequency that another program raised stays, also after the release`() throws {
        let bench = try Bench(hub(at: "50"))
        _ = try bench.watch.states(until: "portrait")
        #expect(try bench.isSet(to: "25"))
        try bench.machine.set(bench.device, "sampling_frequency", to: "100")
        bench.watch.send(SIGTERM)
        #expect(eventually { bench.note.isEmpty })
        #expect(try bench.machine.value(bench.device, "sampling_frequency") == "100")
    }
}
