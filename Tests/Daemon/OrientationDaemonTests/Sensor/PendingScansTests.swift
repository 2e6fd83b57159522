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

    @Test func `at a hang the list fails and its result is dropped, and the other scans stay pending`() {
        var scans = PendingScans()
        for purpose in [ScanPurpose.presence, .listing, .choice, .listing, .choice] { _ = scans.begin(purpose) }
        #expect(scans.failListing() && !scans.failListing())
        #expect(scans.finish(1)?.purpose == .presence && scans.finish(2) == nil)
        let choice = scans.finish(3)
        #expect(choice?.purpose == .choice && choice?.again == true)
        #expect(scans.begin(.listing) == 4)
        #expect(scans.finish(4)?.again == false)
    }
}
