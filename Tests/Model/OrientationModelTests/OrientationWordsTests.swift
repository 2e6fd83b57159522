// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@Suite struct OrientationWordsTests {
    @Test func `a list has each word once, in the order of the first ones`() throws {
        #expect(try OrientationList(["landscape", "ANY", "Landscape", "any"]).description == "landscape, any")
        #expect(OrientationList([.portrait, .portrait]) == OrientationList([.portrait]))
        // One word in UIKit's names.
        #expect(try OrientationList(["portrait", "landscapeLeft", "portrait-primary"]).words.count == 2)
    }
}
