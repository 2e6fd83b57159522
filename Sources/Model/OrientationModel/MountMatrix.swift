// SPDX-License-Identifier: Apache-2.0

/// A mount matrix as published by the kernel, firmware and udev's hardware database: three rows of three numbers, each
/// row a device axis in the sensor's coordinates.
///
///     let matrix = try MountMatrix(parsing: "0, 1, 0; -1, 0, 0; 0, 0, 1")
///
/// ``DeviceFrame`` explains the sign of the rows.
public struct MountMatrix: Hashable, Sendable {
    /// The rows for the device's x, y and z axes, dimensionless.
    public let rows: [Acceleration]

    /// The identity: the sensor's axes are the device's.
    public static let identity = MountMatrix(
        x: Acceleration(x: 1, y: 0, z: 0), y: Acceleration(x: 0, y: 1, z: 0),
        z: Acceleration(x: 0, y: 0, z: 1))

    /// Creates a matrix from its rows, dimensionless.
    public init(x: Acceleration, y: Acceleration, z: Acceleration) {
        rows = [x, y, z]
    }

    /// Parses the text form of the kernel and udev: `0, 1, 0; -1, 0, 0; 0, 0, 1`. A line break ends a row, too, as in files of
    /// some drivers. Other white space is ignored, and so is what follows the ninth number after a semicolon, a comma,
    /// white space or a number sign.
    ///
    /// - Throws: ``MountMatrixError`` if the text is not three rows of three finite numbers, an element exceeds
    ///   ``largestElement``, or the first two rows are parallel or zero, which does not distinguish the edges.
    public init(parsing text: String) throws(MountMatrixError) {
        let rows = text.split(whereSeparator: \.isNewline).flatMap { line in
            let end = line.lastIndex { $0 != ";" && !$0.isWhitespace }.map(line.index(after:)) ?? line.startIndex
            return line[..<end].split(separator: ";", omittingEmptySubsequences: false)
        }
        guard rows.count >= 3 else { throw .shape(text) }
        var parsed: [Acceleration] = []
        for (index, row) in rows.prefix(3).enumerated() {
            var elements = row.split(separator: ",", omittingEmptySubsequences: false)
            if index == 2, elements.count >= 3 {
                elements[2...] = [elements[2].drop(while: \.isWhitespace).prefix { !$0.isWhitespace && $0 != "#" }]
            }
            guard elements.count == 3 else { throw .shape(text) }
            var numbers: [Double] = []
            for element in elements {
                let element = String(element.trimming(while: \.isWhitespace))
                guard let number = Double(element), number.isFinite, number.magnitude <= Self.largestElement
                else { throw .number(element) }
                numbers.append(number)
            }
            parsed.append(Acceleration(x: numbers[0], y: numbers[1], z: numbers[2]))
        }
        guard parsed[0].cross(parsed[1]).magnitude > DeviceFrame.tolerance else { throw .flat(text) }
        self.rows = parsed
    }

    /// The largest valid magnitude of an element: a rotation has none above 1; larger ones are damaged text.
    public static let largestElement = 1_000.0

    /// The determinant: 1 for a rotation, −1 for a rotation with a reflection, 0 for a singular matrix.
    public var determinant: Double {
        rows[0].cross(rows[1]).dot(rows[2])
    }

    /// The nine elements, row by row.
    public var elements: [Double] { rows.flatMap(\.components) }

    /// Creates a matrix from nine elements, row by row; nil for another count.
    package init?(elements: [Double]) {
        guard elements.count == 9 else { return nil }
        let rows = stride(from: 0, to: 9, by: 3).map {
            Acceleration(x: elements[$0], y: elements[$0 + 1], z: elements[$0 + 2])
        }
        self.init(x: rows[0], y: rows[1], z: rows[2])
    }

    /// For a matrix of zeros and ones that is no rotation, because of a one too many: the matrix with one in each row and
    /// column that has most of its ones; nil if two have as many. `0,-1,1;-1,0,0;0,0,1` of the Dell Venue 8 Pro 3845, as
    /// published, is 90° wrong with the third row alone.
    package var withoutExtraOnes: MountMatrix? {
        guard elements.allSatisfy({ [0, 1].contains($0.magnitude) }) else { return nil }
        let ranked = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
            .map { axes in (axes: axes, ones: (0..<3).count { rows[$0].components[axes[$0]] != 0 }) }
            .sorted { $0.ones > $1.ones }
        guard ranked[0].ones > ranked[1].ones else { return nil }
        let kept = zip(rows, ranked[0].axes).flatMap { row, axis in
            (0..<3).map { $0 != axis ? 0 : row.components[axis] < 0 ? -1.0 : 1 }
        }
        return MountMatrix(elements: kept)
    }

    /// The text form of the kernel and of udev, as ``init(parsing:)`` reads it; integers are written without a fraction.
    package var text: String {
        rows.map { row in
            row.components.map { element in Int(exactly: element).map { "\($0)" } ?? "\(element)" }
                .joined(separator: ", ")
        }.joined(separator: "; ")
    }
}

/// An error in the text form of a mount matrix.
public enum MountMatrixError: Error, Hashable, CustomStringConvertible {
    /// The text is not three rows of three numbers.
    case shape(String)
    /// An element is not a finite number within ``MountMatrix/largestElement``.
    case number(String)
    /// The first two rows are parallel or zero.
    case flat(String)

    /// The error message.
    public var description: String {
        switch self {
        case .shape(let text):
            "invalid mount matrix '\(text.shortened)': must be three rows of three numbers, as in '1,0,0;0,1,0;0,0,1'"
        case .number(let text):
            "invalid mount matrix element '\(text.shortened)': must be a number from -1000 to 1000"
        case .flat(let text): "invalid mount matrix '\(text.shortened)': the first two rows are parallel or zero"
        }
    }
}

extension BidirectionalCollection {
    /// Returns the elements without those at both ends that satisfy `predicate`.
    @inlinable package func trimming(while predicate: (Element) -> Bool) -> SubSequence {
        var rest = self[...]
        while let first = rest.first, predicate(first) { rest.removeFirst() }
        while let last = rest.last, predicate(last) { rest.removeLast() }
        return rest
    }
}
