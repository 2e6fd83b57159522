// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import Autorotate

@Suite struct EventOutputTests {
    @Test func `a reader that was late receives whole lines only`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        var output = EventOutput()
        output.descriptor = ends[1]
        let long = String(repeating: "a", count: Int(fcntl(ends[1], Self.getPipeSize)) + 1_000)
        #expect(output.write(long) == 0)
        // No room is left.
        #expect(output.write("lost") == 0)
        var received = read(ends[0])
        #expect(output.write("next") == 0)
        received += read(ends[0])
        #expect(received == "\(long)\nnext\n")
    }

    @Test func `a line that was begun before an error is completed before the next one`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let full = open("/dev/full", O_WRONLY)
        defer { for end in ends + [full] { close(end) } }
        var output = EventOutput()
        output.descriptor = ends[1]
        let long = String(repeating: "a", count: Int(fcntl(ends[1], Self.getPipeSize)) + 1_000)
        #expect(output.write(long) == 0)
        var received = read(ends[0])
        output.descriptor = full
        #expect(output.write("lost") == ENOSPC)
        output.descriptor = ends[1]
        #expect(output.write("next") == 0)
        received += read(ends[0])
        #expect(received == "\(long)\nnext\n")
    }

    /// F_GETPIPE_SZ, which Swift's Glibc lacks.
    private static let getPipeSize: Int32 = 1_032

    private func read(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
}
