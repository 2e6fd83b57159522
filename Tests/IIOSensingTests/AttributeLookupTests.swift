// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import IIOSensing

@Suite struct AttributeLookupTests {
    @Test(arguments: [
        ("accel-display", "display"), ("accel-base", "base"), ("accel-keyboard", "base"), ("KEYBOARD_accel", "base"),
        ("accel-camera", "camera"), ("lid", "lid"), ("base", "base"), ("accel-palmrest", "base"),
    ])
    func `where a sensor sits is read from its name`(name: String, location: String) {
        #expect(AttributeLookup.location(named: name) == location)
    }

    @Test(arguments: ["", "lsm6ds3", "database", "accel", "left side", "\u{1B}[2J"])
    func `a name that says nothing of it means nothing`(name: String) {
        #expect(AttributeLookup.location(named: name) == nil)
    }
}
