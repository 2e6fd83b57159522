// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Posix

@Suite struct ProcessArgumentsTests {
    @Test func `the arguments from the C library are those that Swift reads from proc`() {
        var reports: [String] = []
        #expect(ProcessArguments.read { reports.append($0) } == CommandLine.arguments)
        #expect(reports.isEmpty)
    }
}
