// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestServer
import TestSupport
import Testing

/// `orientationctl doctor` with a working daemon.
@Suite(.serialized) struct DoctorBesideDaemonTests {
    /// Starts a daemon and an examined machine with the same device.
    private func pair() throws -> (machine: ExaminedMachine, daemon: RunningDaemon) {
        let machine = try ExaminedMachine([.upright])
        let units = ["socket", "service"].map {
            "Id=orientationd.\($0)\\nLoadState=loaded\\nActiveState=active\\nUnitFileState=enabled\\n\\n"
        }
        try machine.program("systemctl", "printf '\(units.joined())'")
        try machine.program("journalctl", "exit 0")
        return (machine, try RunningDaemon([], devices: [.upright]))
    }

    private func run(_ pair: (machine: ExaminedMachine, daemon: RunningDaemon), _ more: String...) throws -> (
        status: Int32, output: [String], errors: String
    ) {
        try RunningProgram.run(
            Programs.tool, toolOptions(pair.daemon.socket) + ["doctor", "--sysroot", pair.machine.root] + more,
            environment: pair.machine.environment)
    }

    @Test func `a machine without problems has status 0 and one line, and more lines with --all`() throws {
        let pair = try pair()
        let run = try run(pair)
        #expect(run.status == 0)
        #expect(run.output.count == 1)
        #expect(run.output.first?.hasPrefix("No problem was found, 0 notes, ") == true)
        let all = try self.run(pair, "--all")
        #expect(all.status == 0)
        #expect(all.output.contains("ok       The orientation is known: top edge up."))
        #expect(all.output.contains("ok       The rotation lock is off."))
    }
}
