// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationModel

@Suite struct SensorLocationTests {
    @Test(
        arguments: [
            ("accel-display", "display"), ("accel-base", "base"), ("accel-keyboard", "base"),
            ("KEYBOARD_accel", "base"),
            ("accel-camera", "camera"), ("lid", "lid"), ("base", "base"), ("accel-palmrest", "base"),
            ("", nil), ("lsm6ds3", nil), ("database", nil), ("accel", nil), ("left side", nil), ("\u{1B}[2J", nil),
        ] as [(String, String?)])
    func `a label that names a location returns it`(name: String, location: String?) {
        #expect(SensorLocation.named(name) == location)
    }

    @Test func `the first statement counts: udev, label, attribute`() {
        #expect(SensorLocation.first(property: "lid", label: "accel-base", attribute: "base") == "lid")
        #expect(SensorLocation.first(property: nil, label: "accel-base", attribute: "lid") == "base")
        #expect(SensorLocation.first(property: nil, label: "chip", attribute: "lid") == "lid")
        #expect(SensorLocation.first(property: nil, label: nil, attribute: nil) == nil)
    }
}
