// SPDX-License-Identifier: Apache-2.0

/// How a sensor sits in the device, as the kernel, firmware and udev's hardware database write it down: three rows of
/// three numbers, each row the device's axis in the sensor's coordinates.
///
/// What a row of such a matrix *means* is another matter: see ``DeviceFrame``.
public struct MountMatrix: Hashable, Sendable {
    /// The rows, for the device's x, y and z.
    public let rows: [Acceleration]

    /// The sensor's axes are the device's.
    public static let identity = MountMatrix(
        x: Acceleration(x: 1, y: 0, z: 0), y: Acceleration(x: 0, y: 1, z: 0),
        z: Acceleration(x: 0, y: 0, z: 1))

    /// Makes a matrix from its rows, dimensionless.
    public init(x: Acceleration, y: Acceleration, z: Acceleration) {
        rows = [x, y, z]
    }

    /// Reads the text form of the kernel and of udev: `0, 1, 0; -1, 0, 0; 0, 0, 1`; spaces do not matter.
    ///
    /// - Throws: ``MountMatrixError`` where the text is not three rows of three finite numbers, a number is larger than
    ///   ``largestElement``, or the first two rows are one direction, or none: each edge would read like another.
    public init(parsing text: String) throws(MountMatrixError) {
        let rows = text.trimmed.split(separator: ";", omittingEmptySubsequences: false)
        guard rows.count == 3 else { throw .shape(text) }
        var parsed: [Acceleration] = []
        for row in rows {
            let elements = row.split(separator: ",", omittingEmptySubsequences: false)
            guard elements.count == 3 else { throw .shape(text) }
            var numbers: [Double] = []
            for element in elements {
                let element = String(element).trimmed
                guard let number = Double(element), number.isFinite, number.magnitude <= Self.largestElement
                else { throw .number(element) }
                numbers.append(number)
            }
            parsed.append(Acceleration(x: numbers[0], y: numbers[1], z: numbers[2]))
        }
        guard parsed[0].cross(parsed[1]).magnitude > DeviceFrame.tolerance else { throw .flat(text) }
        self.rows = parsed
    }

    /// No rotation has an element over 1; what is far beyond is a damaged text.
    public static let largestElement = 1_000.0

    /// The determinant: 1 for a rotation, −1 for a rotation with a reflection, 0 for a singular matrix.
    public var determinant: Double {
        rows[0].cross(rows[1]).dot(rows[2])
    }

    /// The nine elements, row by row.
    public var elements: [Double] {
        rows.flatMap { [$0.x, $0.y, $0.z] }
    }
}

/// A text that is no mount matrix.
public enum MountMatrixError: Error, Hashable, CustomStringConvertible {
    /// Not three rows of three.
    case shape(String)
    /// An element is not a finite number of reasonable size.
    case number(String)
    /// The first two rows are one direction, or none.
    case flat(String)

    /// What is wrong, for a person.
    public var description: String {
        switch self {
        case .shape(let text):
            "\(Self.quoted(text)) is not a matrix: three rows of three numbers are expected, as in '1,0,0;0,1,0;0,0,1'"
        case .number(let text): "\(Self.quoted(text)) is not a number that a mount matrix can have"
        case .flat(let text): "\(Self.quoted(text)) tells no edges apart: its first two rows do not point to two sides"
        }
    }

    /// A real matrix with six decimals is no longer; a damaged one may be a page.
    private static let longestQuotation = 100

    private static func quoted(_ text: String) -> String {
        text.count <= longestQuotation ? "'\(text)'" : "'\(text.prefix(longestQuotation))…'"
    }
}

extension String {
    /// The text without white space at its ends.
    fileprivate var trimmed: String {
        var rest = self[...]
        while let first = rest.first, first.isWhitespace { rest.removeFirst() }
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return String(rest)
    }
}
