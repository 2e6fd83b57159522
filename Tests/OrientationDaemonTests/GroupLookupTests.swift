// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationDaemon

@Suite struct GroupLookupTests {
    @Test func `the lookup of a group returns its id, or nil if it does not exist`() {
        #expect(GroupLookup.find("root") == .known(0))
        #expect(GroupLookup.find("no-such-group-here") == .known(nil))
    }
}
