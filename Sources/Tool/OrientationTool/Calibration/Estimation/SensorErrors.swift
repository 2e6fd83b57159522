// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// Bias and scale errors of a chip along its own axes. The daemon does not correct them; they show a defective chip or
/// a wrong scale.
struct SensorErrors: Hashable {
    /// The bias, in m/s².
    let bias: Acceleration
    /// The scale factor; 1 is exact.
    let scale: Acceleration
    /// Whether the scale was found per axis: if two axes are at 45° to the device's, all six poses load both equally.
    let isScalePerAxis: Bool

    /// Fits an ellipsoid with axes along the sensor's to readings at rest, all of which have a magnitude of one
    /// standard gravity: how exactly each pose was held does not matter. Nil if six vectors do not determine it.
    init?(_ vectors: [Acceleration]) {
        let points = vectors.map { (1 / Acceleration.standardGravity) * $0 }
        if let errors = Self(ellipsoidThrough: points) ?? Self(sphereThrough: points) {
            self = errors
        } else {
            return nil
        }
    }

    /// Solves a·x² + b·y² + c·z² + d·x + e·y + f·z = 1.
    private init?(ellipsoidThrough points: [Acceleration]) {
        let equations = points.map { $0.components.map { $0 * $0 } + $0.components + [1] }
        guard points.count == 6, let solution = LinearSystem.solve(equations) else { return nil }
        self.init(squares: Array(solution[0..<3]), linear: Array(solution[3..<6]), isScalePerAxis: true)
    }

    /// Solves the same with one coefficient for all squares, by least squares.
    private init?(sphereThrough points: [Acceleration]) {
        let rows = points.map { [$0.dot($0)] + $0.components + [1] }
        let equations = (0..<4).map { left in
            (0..<5).map { right in rows.reduce(0) { $0 + $1[left] * $1[right] } }
        }
        guard let solution = LinearSystem.solve(equations) else { return nil }
        self.init(
            squares: Array(repeating: solution[0], count: 3), linear: Array(solution[1...]), isScalePerAxis: false)
    }

    private init?(squares: [Double], linear: [Double], isScalePerAxis: Bool) {
        guard squares.allSatisfy({ $0 > 0 }) else { return nil }
        let centre = zip(squares, linear).map { -$1 / (2 * $0) }
        let size = 1 + zip(squares, centre).reduce(0) { $0 + $1.0 * $1.1 * $1.1 }
        let radii = squares.map { (size / $0).squareRoot() }
        bias = Acceleration.standardGravity * Acceleration(x: centre[0], y: centre[1], z: centre[2])
        scale = Acceleration(x: radii[0], y: radii[1], z: radii[2])
        self.isScalePerAxis = isScalePerAxis
    }
}
