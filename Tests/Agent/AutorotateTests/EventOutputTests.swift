// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing
import Varlink

@testable import Autorotate
@testable import Displays

@Suite struct EventOutputTests {
    @Test func `the exit statuses of a closed reader and of a desktop stay, and so do the members of an event`() throws
    {
        #expect(AgentExit.readerClosed == 141 && AgentExit.rotatingDesktop == 3)
        let message = AgentMessage(kind: .rotated, output: "eDP-1", transform: .rotated90, text: "eDP-1: rotated")
        let event = try JSONObject(json: message.json)
        for name in ["event", "message", "output", "transform", "rotation"] { #expect(event[name] != nil, "\(name)") }
    }

    @Test func `a reader that was late receives whole lines only, and a full disk is reported`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let full = open("/dev/full", O_WRONLY)
        defer { for end in ends + [full] { close(end) } }
        let line = String(repeating: "a", count: 1_000)
        // More than a pipe holds.
        for _ in 0..<100 { #expect(EventOutput.write(line, to: ends[1]) == 0) }
        #expect(EventOutput.write(String(repeating: "b", count: Int(PIPE_BUF)), to: ends[1]) == 0, "longer: lost")
        var bytes = [UInt8](repeating: 0, count: 1 << 17)
        let count = read(ends[0], &bytes, 1 << 17)
        let received = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        #expect(received.hasSuffix("\n") && received.split(separator: "\n").allSatisfy { $0 == line })
        #expect(EventOutput.write("next", to: ends[1]) == 0)
        let next = read(ends[0], &bytes, 1 << 17)
        #expect(next == 5)
        #expect(EventOutput.write("lost", to: full) == ENOSPC)
    }
}
