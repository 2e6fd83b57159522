// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationDaemon

@Suite struct GroupLookupTests {
    @Test func `the lookup of a group returns its id, or nil if it does not exist`() throws {
        #expect(try GroupLookup.find("root").get() == 0)
        #expect(try GroupLookup.find("no-such-group-here").get() == nil)
    }
}
