// SPDX-License-Identifier: Apache-2.0

struct SymmetricMatrix {
    private let elements: [[Double]]

    init(_ elements: [[Double]]) {
        self.elements = elements
    }

    /// The unit eigenvector of the largest eigenvalue: the direction of every column of a high power of the matrix, once
    /// all eigenvalues are made positive.
    var dominantEigenvector: [Double] {
        // No eigenvalue is larger than the sum of a row (Gershgorin).
        let shift = elements.map { row in row.reduce(0) { $0 + $1.magnitude } }.max() ?? 0
        var power = elements
        for index in power.indices { power[index][index] += shift }
        // Twelve squarings are a power of 4096: it separates eigenvalues that differ by a percent.
        for _ in 0..<12 {
            let square = power.map { row in power.map { row.dot($0) } }
            let largest = square.joined().map(\.magnitude).max() ?? 1
            power = square.map { row in row.map { $0 / largest } }
        }
        let column = power.max { $0.dot($0) < $1.dot($1) } ?? []
        let length = column.dot(column).squareRoot()
        return column.map { $0 / length }
    }
}

extension [Double] {
    fileprivate func dot(_ other: [Double]) -> Double { zip(self, other).reduce(0) { $0 + $1.0 * $1.1 } }
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
