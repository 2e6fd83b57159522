// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import IIOSensing

@Suite struct AttributeLookupTests {
    @Test(arguments: [
        ("accel-display", "display"), ("accel-base", "base"), ("accel-keyboard", "base"), ("KEYBOARD_accel", "base"),
        ("accel-camera", "camera"), ("lid", "lid"), ("base", "base"), ("accel-palmrest", "base"),
    ])
    func `a label that names a location returns it`(name: String, location: String) {
        #expect(AttributeLookup.location(named: name) == location)
    }

    @Test(arguments: ["", "lsm6ds3", "database", "accel", "left side", "\u{1B}[2J"])
    func `a label without a location returns nil`(name: String) {
        #expect(AttributeLookup.location(named: name) == nil)
    }
}
