// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationDaemon

@Suite struct PendingScansTests {
    @Test func `one scan for each purpose is pending, and a request meanwhile is made after it`() {
        var scans = PendingScans()
        #expect(scans.begin(.listing) == 1)
        #expect(scans.begin(.choice) == 2)
        #expect(scans.begin(.listing) == nil && scans.begin(.listing) == nil)
        let first = scans.finish(1)
        #expect(first?.purpose == .listing && first?.again == true)
        #expect(scans.begin(.listing) == 3)
        for request in [2, 3] { #expect(scans.finish(request)?.again == false) }
    }

    @Test func `all scans fail in their order at a hang, and their results are dropped`() {
        var scans = PendingScans()
        for purpose in [ScanPurpose.presence, .listing, .choice, .listing] { _ = scans.begin(purpose) }
        #expect(scans.failAll() == [.presence, .listing, .choice])
        #expect(scans.finish(1) == nil && scans.finish(2) == nil)
        #expect(scans.begin(.listing) == 4)
        #expect(scans.finish(4)?.again == false)
    }
}
