// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Displays

@Suite struct TouchMatrixTests {
    /// A corner of the panel, or of the picture: x to the right, y downwards, from 0 to 1.
    private typealias Point = [Float]

    private func map(_ point: Point, _ matrix: TouchMatrix) -> Point {
        let elements = matrix.elements
        return (0..<2).map { (row: Int) -> Float in
            let x: Float = elements[row * 3] * point[0]
            let y: Float = elements[row * 3 + 1] * point[1]
            return x + y + elements[row * 3 + 2]
        }
    }

    @Test func `a corner of the panel is one of the picture`() {
        let (topLeft, topRight): (Point, Point) = ([0, 0], [1, 0])
        let (bottomLeft, bottomRight): (Point, Point) = ([0, 1], [1, 1])
        let rows: [(OutputTransform, [(panel: Point, picture: Point)])] = [
            // The top of the picture is at the left side of the panel, at the right side, and below.
            (.rotated90, [(bottomLeft, topLeft), (topLeft, topRight), (topRight, bottomRight)]),
            (.rotated270, [(topRight, topLeft), (bottomRight, topRight)]),
            (.rotated180, [(topLeft, bottomRight), (topRight, bottomLeft)]),
            // Mirrored; and then rotated to the left: the top is at the left side, and its left end at the top.
            (.flipped, [(topRight, topLeft)]), (.flipped90, [(topLeft, topLeft), (bottomLeft, topRight)]),
        ]
        for (transform, corners) in rows {
            for (panel, picture) in corners { #expect(map(panel, TouchMatrix(transform)) == picture, "\(transform)") }
        }
    }

    @Test func `a panel beside a monitor has its part of the screen`() {
        let matrix = TouchMatrix(
            .rotated90, in: LayoutRectangle(x: 1920, y: 0, width: 800, height: 1280),
            of: LayoutSize(width: 2720, height: 1280))
        #expect(map([0, 1], matrix).map { ($0 * 2720).rounded() } == [1920, 0])
        #expect(map([1, 0], matrix) == [1, 1])
    }

    @Test func `a calibration is applied before the rotation`() {
        let calibration = TouchMatrix([1.1, 0, -0.05, 0, 1.1, -0.05, 0, 0, 1])
        #expect(calibration.isCalibration)
        let matrix = TouchMatrix(.rotated180) * calibration
        #expect(zip(map([0.5, 0.5], matrix), [0.5, 0.5]).allSatisfy { abs($0 - $1) < 0.001 })
        #expect(!TouchMatrix(.rotated90).isCalibration)
        #expect(!TouchMatrix(.flipped).isCalibration)
    }
}
