// SPDX-License-Identifier: Apache-2.0

import SystemdTestSupport
import Testing

@testable import OrientationDaemon

@Suite struct DaemonLogTests {
    @Test func `lines of libraries are limited, and do not suppress those of a crash`() {
        let messages = LoggedMessages()
        var lines = LibraryMessages()
        lines.logger = messages.logger
        for _ in 0..<100 { lines.write("noise", at: 0) }
        for _ in 0..<100 { lines.write("m.swift:1: Fatal error: overflow", at: 0) }
        #expect(messages.texts.filter { $0 == "library: noise" }.count == 10)
        #expect(messages.texts.filter { $0 == "runtime: m.swift:1: Fatal error: overflow" }.count == 4)
        #expect(messages.texts.count == 14)
    }
}
