// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationModel

@Suite struct SensorLocationTests {
    @Test(arguments: [
        ("accel-display", "display"), ("accel-base", "base"), ("accel-keyboard", "base"), ("KEYBOARD_accel", "base"),
        ("accel-camera", "camera"), ("lid", "lid"), ("base", "base"), ("accel-palmrest", "base"),
    ])
    func `a label that names a location returns it`(name: String, location: String) {
        #expect(SensorLocation.named(name) == location)
    }

    @Test(arguments: ["", "lsm6ds3", "database", "accel", "left side", "\u{1B}[2J"])
    func `a label without a location returns nil`(name: String) {
        #expect(SensorLocation.named(name) == nil)
    }

    @Test func `the first statement counts: udev, label, attribute`() {
        #expect(SensorLocation.first(property: "lid", label: "accel-base", attribute: "base") == "lid")
        #expect(SensorLocation.first(property: nil, label: "accel-base", attribute: "lid") == "base")
        #expect(SensorLocation.first(property: nil, label: "chip", attribute: "lid") == "lid")
        #expect(SensorLocation.first(property: nil, label: nil, attribute: nil) == nil)
    }
}
