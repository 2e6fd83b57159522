// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@Suite struct DeviceOrientationTests {
    /// Their normalization would take minutes for each comparison.
    @Test(.timeLimit(.minutes(10))) func `a name with a long run of combining marks is no orientation`() {
        let name = "portrait" + String(repeating: "\u{301}\u{323}", count: 200_000)
        #expect(DeviceOrientation(name) == nil && Edge(name) == nil)
    }

    @Test func `the name of an orientation parses to the same orientation`() {
        for orientation in DeviceOrientation.allCases {
            #expect(DeviceOrientation(orientation.description) == orientation)
        }
        #expect(DeviceOrientation.landscapeLeft.description == "landscapeLeft")
        #expect(DeviceOrientation("LandscapeLeft") == nil)
    }
}
