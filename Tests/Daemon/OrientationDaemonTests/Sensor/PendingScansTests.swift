// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationDaemon

@Suite struct PendingScansTests {
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
