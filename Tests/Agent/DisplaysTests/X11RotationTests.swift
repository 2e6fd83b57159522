// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Displays

@Suite struct X11RotationTests {
    @Test(arguments: OutputTransform.allCases) func `a transform is the same after the conversion to RandR and back`(
        _ transform: OutputTransform
    ) {
        #expect(X11Rotation(transform).transform == transform)
    }

    @Test func `RandR rotates counter-clockwise`() {
        #expect(X11Rotation(.rotated90) == .rotate90)
        #expect(X11Rotation(.rotated270) == .rotate270)
        #expect(X11Rotation(.flipped90) == [.rotate90, .reflectX])
    }

    @Test func `a reflection in y is one in x and half a turn`() {
        #expect(X11Rotation([.rotate0, .reflectY]).transform == .flipped180)
        #expect(X11Rotation([.rotate90, .reflectY]).transform == .flipped270)
        #expect(X11Rotation([.rotate90, .reflectX, .reflectY]).transform == .rotated270)
    }
}
