// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import Sensors

@Suite struct ConversionTests {
    @Test func `a raw reading is converted with the offset before the scale`() {
        #expect(LinearConversion(scale: 0.5, offset: -10)(30) == 10)
        #expect(LinearConversion()(12.5) == 12.5)
        #expect(LinearConversion(scale: 1e10)(1e308) == nil)
    }

    @Test(
        arguments: [
            ("(128,128)", 50), ("(0,255)\n", 100), ("(51,0)", 20), ("(0,0)", 0), ("128", nil), ("(1,256)", nil),
            ("(0x10,0)", nil),
            ("(a,b)", nil),
        ] as [(String, Double?)])
    func `the larger value of applesmc's two light sensors counts, in percent`(text: String, percent: Double?) {
        #expect(AttributeText.percentOfApple(text)?.rounded() == percent)
    }

    @Test(arguments: [(0, 0), (359.5, 359.5), (360, 0), (450, 90), (-90, 270)] as [(Double, Double)])
    func `a heading is less than a full turn`(degrees: Double, heading: Double) {
        #expect(degrees.wrapped == heading)
    }

    @Test
    func `a reading is compared with the lower margin after one above the level, otherwise with the upper margin`() {
        var threshold = ProximityThreshold(nearLevel: 128)
        let readings: [(Double, Bool)] = [
            (256, true), (127, true), (127, false), (0, false),
            // Two readings between the level and its upper margin.
            (129, false), (129, true), (127, true), (115, false),
            // Readings that alternate around the level.
            (129, false), (127, true), (129, false), (127, true),
        ]
        for (raw, isNear) in readings { #expect(threshold.isNear(raw) == isNear, "\(raw)") }
    }
}
