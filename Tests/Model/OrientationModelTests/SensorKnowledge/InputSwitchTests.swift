// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@Suite struct InputSwitchTests {
    @Test(arguments: [
        ("2", true, false), ("800", false, true), ("10e00", false, true), ("802", true, true), ("0 802", true, true),
        ("1000", false, false), ("2 0", false, false), ("", false, false), ("x", false, false),
    ])
    func `a switch is found by its bit in the lowest word`(mask: String, isTablet: Bool, isProximity: Bool) {
        let device = InputAttributes(switches: mask)
        #expect(device.has(.tabletMode) == isTablet)
        #expect(device.has(.frontProximity) == isProximity)
    }

    @Test(arguments: [
        // Volume keys, a phone's keys, and those of ThinkPad Extra Buttons.
        ("0", true), ("10 0 0 1c00 0 0 2 118000 0 0", true), ("10000 0 0 0 0 0 0 0 0 0 100000 0 1000000 0 0 0 0", true),
        ("c000000000000 0", true),
        // KEY_ESC, KEY_A, and a mask that is missing or damaged.
        ("2", false), ("1000 40000000", false), (nil, false), ("", false), ("x", false),
    ])
    func `a node with keys is opened only if no code is below 64`(keys: String?, isOpened: Bool) {
        #expect((InputAttributes(keys: keys).switchRejection == nil) == isOpened)
    }
}
