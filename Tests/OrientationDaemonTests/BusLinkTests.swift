// SPDX-License-Identifier: Apache-2.0

import Logging
import Systemd
import Testing

@testable import OrientationDaemon

@Suite @MainActor struct BusLinkTests {
    @Test func `the first failure of each outage is logged`() throws {
        let remarks = Remarks()
        let log = Logger(label: "test") { _ in RemarkHandler(remarks: remarks) }
        let link = try BusLink(on: try EventLoop(), log: log, opened: { _ in }, lost: {})
        for _ in 0..<64 { link.abandon("cannot send over the bus: No buffer space available") }
        #expect(remarks.texts.count == 1)
        link.connectionEstablished()
        for _ in 0..<64 { link.abandon("cannot send over the bus: No buffer space available") }
        #expect(remarks.texts.count == 2)
    }
}
