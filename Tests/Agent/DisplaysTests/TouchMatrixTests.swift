// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Displays

@Suite struct TouchMatrixTests {
    /// A corner of the panel, or of the picture: x to the right, y downwards, from 0 to 1.
    private typealias Point = [Float]
    private static let topLeft: Point = [0, 0]
    private static let topRight: Point = [1, 0]
    private static let bottomLeft: Point = [0, 1]
    private static let bottomRight: Point = [1, 1]

    private func map(_ point: Point, _ matrix: TouchMatrix) -> Point {
        let elements = matrix.elements
        return (0..<2).map { (row: Int) -> Float in
            let x: Float = elements[row * 3] * point[0]
            let y: Float = elements[row * 3 + 1] * point[1]
            return x + y + elements[row * 3 + 2]
        }
    }

    @Test func `with the picture rotated to the left its top is at the left side of the panel`() {
        let matrix = TouchMatrix(.rotated90)
        #expect(map(Self.bottomLeft, matrix) == Self.topLeft)
        #expect(map(Self.topLeft, matrix) == Self.topRight)
        #expect(map(Self.topRight, matrix) == Self.bottomRight)
    }

    @Test func `with the picture rotated to the right its top is at the right side of the panel`() {
        let matrix = TouchMatrix(.rotated270)
        #expect(map(Self.topRight, matrix) == Self.topLeft)
        #expect(map(Self.bottomRight, matrix) == Self.topRight)
    }

    @Test func `upside down the corners are opposite`() {
        let matrix = TouchMatrix(.rotated180)
        #expect(map(Self.topLeft, matrix) == Self.bottomRight)
        #expect(map(Self.topRight, matrix) == Self.bottomLeft)
    }

    @Test func `a mirrored picture has its left side at the right side of the panel`() {
        #expect(map(Self.topRight, TouchMatrix(.flipped)) == Self.topLeft)
        // Mirrored, and then rotated to the left: the top is at the left side, and its left end at the top.
        #expect(map(Self.topLeft, TouchMatrix(.flipped90)) == Self.topLeft)
        #expect(map(Self.bottomLeft, TouchMatrix(.flipped90)) == Self.topRight)
    }

    @Test func `a panel beside a monitor has its part of the screen`() {
        let matrix = TouchMatrix(
            .rotated90, in: LayoutRectangle(x: 1920, y: 0, width: 800, height: 1280),
            of: LayoutSize(width: 2720, height: 1280))
        #expect(map(Self.bottomLeft, matrix).map { ($0 * 2720).rounded() } == [1920, 0])
        #expect(map(Self.topRight, matrix) == [1, 1])
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
