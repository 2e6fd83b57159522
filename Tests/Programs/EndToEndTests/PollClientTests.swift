// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import TestServer
import TestSupport
import Testing

/// A process that uses nothing but `OrientationClientCore` and `poll`.
@Suite(.serialized) struct PollClientTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func resources(_ program: InteractiveProgram) throws -> String {
        try program.writeLine("")
        return try program.program.lines { $0.hasPrefix("threads") }.last ?? ""
    }

    @Test func `a process with a connection has one thread, leaks no descriptor and is idle between changes`() throws {
        var daemon: StubDaemon? = try StubDaemon(at: directory.socket, state: .number(1, of: "0"))
        let program = try InteractiveProgram(Programs.example("PollClient"), [directory.socket])
        #expect(try program.program.line() == "state 1 0")
        let first = try resources(program)
        #expect(first.hasPrefix("threads 1 "))
        #expect(try resources(program) == first)
        for run in 1...5 {
            daemon = nil
            _ = try program.program.lines { $0.hasPrefix("not connected") }
            daemon = try StubDaemon(at: directory.socket, state: .number(1, of: "\(run)"))
            _ = try program.program.lines { $0 == "state 1 \(run)" }
        }
        let last = try resources(program)
        // The number of wake-ups differs.
        #expect(last.split(separator: " ").prefix(4) == first.split(separator: " ").prefix(4))
        #expect(try resources(program) == last)
        daemon?.publish(.number(2, of: "5"))
        #expect(try program.program.line() == "state 2 5")
        #expect(try program.end() == 0)
    }
}
