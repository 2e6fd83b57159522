// SPDX-License-Identifier: Apache-2.0

/// The property "Coordinate Transformation Matrix" of an input device: three rows of three numbers, which map a point of
/// the device to a point of the screen. Both are from (0, 0), top left, to (1, 1).
struct TouchMatrix: Hashable, Sendable {
    /// The numbers, row by row; nine.
    var elements: [Float]

    static let identity = TouchMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1])

    init(_ elements: [Float]) {
        self.elements = elements
    }

    /// Creates the matrix of a device that covers a panel whose picture has a transform.
    init(_ transform: OutputTransform) {
        // The picture's coordinates of a point of the panel.
        let turned: TouchMatrix =
            switch transform.rotation {
            case 90: TouchMatrix([0, -1, 1, 1, 0, 0, 0, 0, 1])
            case 180: TouchMatrix([-1, 0, 1, 0, -1, 1, 0, 0, 1])
            case 270: TouchMatrix([0, 1, 0, -1, 0, 1, 0, 0, 1])
            default: .identity
            }
        // A flipped picture is mirrored before it is rotated: the reverse order leads from the panel to the picture.
        self = transform.isFlipped ? TouchMatrix([-1, 0, 1, 0, 1, 0, 0, 0, 1]) * turned : turned
    }

    /// Creates the matrix of a device that covers the panel of an output: its rectangle in a screen, and its transform.
    init(_ transform: OutputTransform, in rectangle: LayoutRectangle, of screen: LayoutSize) {
        let width = Float(max(screen.width, 1)), height = Float(max(screen.height, 1))
        let place = TouchMatrix([
            Float(rectangle.width) / width, 0, Float(rectangle.x) / width,
            0, Float(rectangle.height) / height, Float(rectangle.y) / height,
            0, 0, 1,
        ])
        self = place * TouchMatrix(transform)
    }

    static func * (left: TouchMatrix, right: TouchMatrix) -> TouchMatrix {
        var product = [Float](repeating: 0, count: 9)
        for row in 0..<3 {
            for column in 0..<3 {
                for index in 0..<3 {
                    product[row * 3 + column] += left.elements[row * 3 + index] * right.elements[index * 3 + column]
                }
            }
        }
        return TouchMatrix(product)
    }

    /// Whether no element differs by more than `tolerance`.
    func isNear(_ other: TouchMatrix, tolerance: Float = 0.001) -> Bool {
        zip(elements, other.elements).allSatisfy { abs($0 - $1) <= tolerance }
    }

    /// The maximum deviation of a calibration from the identity: a matrix that deviates more is a mapping to an output.
    private static let greatestCalibration: Float = 0.2

    /// Whether it corrects a device that is a little larger or smaller than its panel, and not turned.
    var isCalibration: Bool { isNear(.identity, tolerance: Self.greatestCalibration) }
}
