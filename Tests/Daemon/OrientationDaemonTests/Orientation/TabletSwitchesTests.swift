// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationDaemon

@Suite struct TabletSwitchesTests {
    @Test(
        arguments: [
            ([], nil), ([nil], nil), ([false], false), ([false, true], true), ([nil, false], false),
            ([true, nil], true),
        ] as [([Bool?], Bool?)])
    func `the device is a tablet while one of its switches is closed`(switches: [Bool?], isTablet: Bool?) {
        #expect(TabletSwitches.mode(of: switches) == isTablet)
    }
}
