// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The drawing characters of a terminal: dots within a cell.
enum Grain {
    /// Braille patterns, 2 by 4 dots, for terminal emulators.
    case fine
    /// Half blocks, 1 by 2 dots, for the kernel's console, whose fonts lack braille.
    case coarse
    /// ASCII, for locales without UTF-8.
    case ascii

    var across: Int { self == .fine ? 2 : 1 }
    var down: Int {
        switch self {
        case .fine: 4
        case .coarse: 2
        case .ascii: 1
        }
    }

    /// Returns the character with these dots, bit `row * across + column`; nil without dots.
    func character(_ dots: UInt8) -> Character? {
        guard dots != 0 else { return nil }
        switch self {
        case .ascii: return "#"
        case .coarse: return [1: "▀", 2: "▄"][dots] ?? "█"
        case .fine:
            // Unicode numbers the dots down the left column, down the right one, then along the fourth row.
            let bits: [UInt8] = [0, 3, 1, 4, 2, 5, 6, 7]
            let pattern = (0..<8).reduce(UInt32(0)) { dots & 1 << $1 != 0 ? $0 | 1 << UInt32(bits[$1]) : $0 }
            return Unicode.Scalar(0x2800 + pattern).map(Character.init)
        }
    }
}

/// A point on a canvas: x to the right, y down; a cell is 2 units wide and 4 high.
typealias Point = SIMD2<Double>

/// A drawing of dots, rendered as characters.
struct Canvas {
    let grain: Grain
    let columns: Int
    let rows: Int
    private var dots: [UInt8]
    private var styles: [Style]

    init(columns: Int, rows: Int, grain: Grain) {
        self.grain = grain
        self.columns = max(columns, 0)
        self.rows = max(rows, 0)
        dots = Array(repeating: 0, count: self.columns * self.rows)
        styles = Array(repeating: .plain, count: dots.count)
    }

    var width: Double { Double(columns * 2) }
    var height: Double { Double(rows * 4) }

    /// Draws a closed line through the points, or a dashed one with dashes of three dots.
    mutating func outline(_ points: [Point], _ style: Style, isDashed: Bool = false) {
        var walked = 0
        for (start, end) in zip(points, points.dropFirst() + points.prefix(1)) {
            line(start, end, style, isDashed ? walked : nil)
            walked += steps(start, end)
        }
    }

    mutating func line(_ start: Point, _ end: Point, _ style: Style, _ walked: Int? = nil) {
        let count = steps(start, end)
        for step in 0...count {
            if let walked, (walked + step) / 3 % 2 == 1 { continue }
            let share = count == 0 ? 0 : Double(step) / Double(count)
            set(start + share * (end - start), style)
        }
    }

    /// Clears the inside of a convex outline, to hide what is behind it.
    mutating func clear(inside corners: [Point]) {
        guard !corners.isEmpty else { return }
        for row in 0..<rows * grain.down {
            for column in 0..<columns * grain.across where Self.contains(corners, centre(column, row)) {
                let (index, bit) = place(column, row)
                dots[index] &= ~bit
            }
        }
    }

    /// Returns the content of a cell; nil if it is empty.
    func cell(column: Int, row: Int) -> Cell? {
        grain.character(dots[row * columns + column]).map { Cell(character: $0, style: styles[row * columns + column]) }
    }

    private var dotWidth: Double { 2 / Double(grain.across) }
    private var dotHeight: Double { 4 / Double(grain.down) }

    private func centre(_ column: Int, _ row: Int) -> Point {
        Point(x: (Double(column) + 0.5) * dotWidth, y: (Double(row) + 0.5) * dotHeight)
    }

    private func steps(_ start: Point, _ end: Point) -> Int {
        Int(max(abs(end.x - start.x) / dotWidth, abs(end.y - start.y) / dotHeight).rounded(.up))
    }

    private mutating func set(_ point: Point, _ style: Style) {
        let (column, row) = (Int((point.x / dotWidth).rounded(.down)), Int((point.y / dotHeight).rounded(.down)))
        guard (0..<columns * grain.across).contains(column), (0..<rows * grain.down).contains(row) else { return }
        let (index, bit) = place(column, row)
        dots[index] |= bit
        styles[index] = style
    }

    private func place(_ column: Int, _ row: Int) -> (index: Int, bit: UInt8) {
        let inCell = row % grain.down * grain.across + column % grain.across
        return (row / grain.down * columns + column / grain.across, 1 << UInt8(inCell))
    }

    /// Whether the point is on the same side of all edges.
    private static func contains(_ corners: [Point], _ point: Point) -> Bool {
        var (isLeft, isRight) = (false, false)
        var a = corners[corners.count - 1]
        for b in corners {
            let side = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
            isLeft = isLeft || side < 0
            isRight = isRight || side > 0
            if isLeft && isRight { return false }
            a = b
        }
        return isLeft || isRight
    }
}
