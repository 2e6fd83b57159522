// SPDX-License-Identifier: Apache-2.0

/// A small symmetric matrix.
struct SymmetricMatrix {
    private let elements: [[Double]]

    /// The number of Jacobi sweeps: any small matrix is diagonal to the last digit after them; four or five are usual.
    private static let sweeps = 30

    init(_ elements: [[Double]]) {
        self.elements = elements
    }

    /// The unit eigenvector of the largest eigenvalue, by the cyclic Jacobi method (Golub and Van Loan, "Matrix
    /// Computations", 8.5).
    var dominantEigenvector: [Double] {
        var matrix = elements
        let size = matrix.count
        var vectors = (0..<size).map { row in (0..<size).map { row == $0 ? 1.0 : 0 } }
        for _ in 0..<Self.sweeps {
            for p in 0..<size {
                for q in (p + 1)..<size where matrix[p][q].magnitude > .leastNormalMagnitude {
                    let (cosine, sine) = Self.turn(matrix, p, q)
                    matrix.turnColumns(p, q, cosine, sine)
                    matrix.turnRows(p, q, cosine, sine)
                    vectors.turnColumns(p, q, cosine, sine)
                }
            }
        }
        let largest = (0..<size).max { matrix[$0][$0] < matrix[$1][$1] } ?? 0
        return vectors.map { $0[largest] }
    }

    /// Returns the smaller of the two rotations in the plane of `p` and `q` that set the element there to zero.
    private static func turn(_ matrix: [[Double]], _ p: Int, _ q: Int) -> (cosine: Double, sine: Double) {
        let slope = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q])
        let root = (1 + slope * slope).squareRoot()
        let tangent = slope >= 0 ? 1 / (slope + root) : 1 / (slope - root)
        let cosine = 1 / (1 + tangent * tangent).squareRoot()
        return (cosine, tangent * cosine)
    }
}

extension [[Double]] {
    fileprivate mutating func turnColumns(_ p: Int, _ q: Int, _ cosine: Double, _ sine: Double) {
        for row in indices {
            let (left, right) = (self[row][p], self[row][q])
            self[row][p] = cosine * left - sine * right
            self[row][q] = sine * left + cosine * right
        }
    }

    fileprivate mutating func turnRows(_ p: Int, _ q: Int, _ cosine: Double, _ sine: Double) {
        let (upper, lower) = (self[p], self[q])
        for column in indices {
            self[p][column] = cosine * upper[column] - sine * lower[column]
            self[q][column] = sine * upper[column] + cosine * lower[column]
        }
    }
}

/// A linear system with as many equations as unknowns.
enum LinearSystem {
    /// The smallest usable pivot, for coefficients around 1: below it the result would be noise.
    static let smallestPivot = 0.2

    /// Solves the system by Gaussian elimination with partial pivoting; nil if it is close to singular. An equation is
    /// its coefficients followed by the right-hand side.
    static func solve(_ equations: [[Double]]) -> [Double]? {
        var rows = equations
        let size = rows.count
        for column in 0..<size {
            guard let pivot = (column..<size).max(by: { rows[$0][column].magnitude < rows[$1][column].magnitude }),
                rows[pivot][column].magnitude >= smallestPivot
            else { return nil }
            rows.swapAt(column, pivot)
            for row in 0..<size where row != column {
                let factor = rows[row][column] / rows[column][column]
                for place in column...size { rows[row][place] -= factor * rows[column][place] }
            }
        }
        return (0..<size).map { rows[$0][size] / rows[$0][$0] }
    }
}
