// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import OrientationModel
import Systemd
import SystemdTestSupport
import TestSupport
import Testing

@testable import Autorotate

@Suite(.timeLimit(.minutes(10))) struct ChassisWatchTests {
    private nonisolated static func notebook() -> Chassis? {
        Chassis {
            $0.hasSuffix("chassis_type") ? "10" : nil
        } nodes: {
            [("event3", "/devices/platform", false)]
        }
    }

    @Test func `the chassis is reported before the loop runs, one that is read slowly when it is known`() throws {
        let bench = try LoopBench()
        var reports: [Chassis] = []
        var first: ChassisWatch?
        // It waits half a second for its thread.
        let isReported = eventually(despite: 0.5) {
            first = ChassisWatch(on: bench.loop, log: LoggedMessages().logger, Self.notebook) { reports.append($0) }
            return !reports.isEmpty
        }
        #expect(isReported && reports.map(\.keyboards) == [["event3"]])
        let gate = DispatchSemaphore(value: 0)
        let slow = ChassisWatch(on: bench.loop, log: LoggedMessages().logger) {
            gate.wait()
            return Self.notebook()
        } report: {
            reports.append($0)
        }
        #expect(reports.count == 1)
        gate.signal()
        try bench.run { reports.count == 2 }
        withExtendedLifetime((first, slow)) {}
    }

    @Test func `keyboards that cannot be listed are logged, and no chassis is reported`() throws {
        let bench = try LoopBench()
        let messages = LoggedMessages()
        let watch = ChassisWatch(on: bench.loop, log: messages.logger) { () throws(SystemError) in
            throw SystemError(operation: "list devices", code: EIO)
        } report: { _ in
            Issue.record("reported")
        }
        try bench.run { !messages.texts.isEmpty }
        #expect(messages.texts.first?.contains("; it is not known whether a keyboard is attached") == true)
        withExtendedLifetime(watch) {}
    }
}
