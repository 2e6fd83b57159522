// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationTool

/// Findings about programs that capture from a sensor.
@Suite struct BufferFindingTests {
    private let good = MachineFacts.good

    private func captured(by process: ProcessFacts.Process?, isBusy: Bool = false) -> MachineFacts {
        good.withDevice {
            $0.attributes.contents["buffer/enable"] = .text("1")
            if isBusy {
                $0.readings.vectors = []
                $0.readings.failure = "in_accel_x_raw: Device or resource busy"
                $0.readings.isBusy = true
            }
        }.with { facts in process.map { facts.processes.processes = [$0] } }
    }

    @Test func `a capturing program is named, and is a problem only if the chip cannot be polled`() throws {
        let other = ProcessFacts.Process(
            identifier: 42, name: "iio_readdev", program: "iio_readdev", nodes: ["iio:device0"])
        let beside = try #require(captured(by: other).fault("buffer"))
        #expect(beside.summary == "the program iio_readdev (process 42) captures from iio:device0 (kxcjk1013)")
        #expect(beside.level == .note)
        #expect(beside.fix?.command == "sudo sh -c 'kill 42'")
        let silent = captured(by: other, isBusy: true)
        #expect(silent.fault("buffer")?.level == .problem)
        #expect(silent.fault("reading")?.level == .problem)
    }

    @Test func `the daemon's own capture is ok, also if the chip cannot be polled`() {
        let own = ProcessFacts.Process(
            identifier: 7, name: "orientationd", program: "orientationd", nodes: ["iio:device0"])
        #expect(captured(by: own, isBusy: true).faults() == [])
    }

    @Test func `a buffer left enabled and one with an unknown program have different fixes`() {
        #expect(captured(by: nil).fault("buffer")?.level == .problem)
        #expect(captured(by: nil).fault("buffer")?.fix?.command.contains("echo 0 | sudo tee") == true)
        let unseen = captured(by: nil).with { $0.processes.isComplete = false }
        #expect(unseen.fault("buffer")?.fix == .examineAsRoot)
    }

    @Test func `a program that has the node open without capturing is a note`() {
        let other = ProcessFacts.Process(identifier: 42, name: "cat", program: "cat", nodes: ["iio:device0"])
        #expect(good.with { $0.processes.processes = [other] }.fault("buffer")?.level == .note)
    }

    @Test func `a process that only calls itself the daemon is not it`() {
        let other = ProcessFacts.Process(
            identifier: 42, name: "orientationd", program: nil, arguments: ["orientationd", "--dbus"],
            nodes: ["iio:device0"])
        let found = captured(by: other, isBusy: true)
        #expect(
            found.fault("buffer")?.summary
                == "a process that calls itself 'orientationd' (process 42) captures from iio:device0 (kxcjk1013)")
        #expect(found.fault("reading")?.level == .problem)
        let proxy = ProcessFacts.Process(identifier: 9, name: "iio-sensor-prox", program: nil)
        #expect(good.with { $0.processes.processes = [proxy] }.fault("proxy") == nil)
    }
}
