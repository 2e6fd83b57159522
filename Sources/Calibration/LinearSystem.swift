// SPDX-License-Identifier: Apache-2.0

/// As many linear equations as unknowns.
enum LinearSystem {
    /// Below this, with coefficients around 1, noise in the readings would be told for a result.
    static let smallestPivot = 0.2

    /// Solves by elimination with partial pivoting; nil where the equations say too little. An equation is its
    /// coefficients and then the right side.
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
