// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import Autorotate

@Suite struct EventOutputTests {
    @Test func `a reader that was late receives whole lines only`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        // F_GETPIPE_SZ, which Swift's Glibc lacks.
        let size = fcntl(ends[1], 1_032)
        var output = EventOutput()
        output.descriptor = ends[1]
        let long = String(repeating: "a", count: Int(size) + 1_000)
        #expect(output.write(long) == 0)
        // No room is left.
        #expect(output.write("lost") == 0)
        var received = read(ends[0])
        #expect(output.write("next") == 0)
        received += read(ends[0])
        #expect(received == "\(long)\nnext\n")
    }

    private func read(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
}
