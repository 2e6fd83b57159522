// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@Suite struct DeviceOrientationTests {
    @Test func `an orientation is written by its name and read back`() {
        for orientation in DeviceOrientation.allCases {
            #expect(DeviceOrientation(orientation.description) == orientation)
        }
        #expect(DeviceOrientation.landscapeLeft.description == "landscapeLeft")
        #expect(DeviceOrientation("LandscapeLeft") == nil)
    }

    @Test func `only the four edges are edges`() {
        #expect(DeviceOrientation.allCases.filter { Edge($0) != nil }.count == 4)
        for edge in Edge.allCases {
            #expect(Edge(DeviceOrientation(edge)) == edge)
            #expect(DeviceOrientation(edge).description == edge.description)
            #expect(DeviceOrientation(edge).isValidInterfaceOrientation)
        }
    }
}
