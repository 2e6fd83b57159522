// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What a terminal can draw with: dots in a character's cell.
enum Grain {
    /// Braille patterns, 2 by 4 dots: every terminal window.
    case fine
    /// Half blocks, 1 by 2: the kernel's console, whose fonts have no braille.
    case coarse
    /// Letters: where the locale is not UTF-8.
    case ascii

    var across: Int { self == .fine ? 2 : 1 }
    var down: Int {
        switch self {
        case .fine: 4
        case .coarse: 2
        case .ascii: 1
        }
    }

    /// The character with these dots, bit `row * across + column`; nil without any.
    func character(_ dots: UInt8) -> Character? {
        guard dots != 0 else { return nil }
        switch self {
        case .ascii: return "#"
        case .coarse: return [1: "▀", 2: "▄"][dots] ?? "█"
        case .fine:
            // Unicode counts the dots down the left column, down the right one, and then along the fourth row.
            let bits: [UInt8] = [0, 3, 1, 4, 2, 5, 6, 7]
            let pattern = (0..<8).reduce(UInt32(0)) { dots & 1 << $1 != 0 ? $0 | 1 << UInt32(bits[$1]) : $0 }
            return Unicode.Scalar(0x2800 + pattern).map(Character.init)
        }
    }
}

/// A place on a canvas: x to the right, y downwards, in units of which a cell is 2 wide and 4 high.
struct Point: Hashable {
    var x: Double
    var y: Double
}

/// A drawing of dots, which becomes characters.
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

    /// A closed line through points; a dashed one leaves out every other stretch of three dots.
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
            set(Point(x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y)), style)
        }
    }

    /// Takes away what is inside of a convex outline, as if something stood in front.
    mutating func clear(inside corners: [Point]) {
        guard !corners.isEmpty else { return }
        for row in 0..<rows * grain.down {
            for column in 0..<columns * grain.across where Self.contains(corners, centre(column, row)) {
                let (index, bit) = place(column, row)
                dots[index] &= ~bit
            }
        }
    }

    /// What stands in a cell; nil where nothing does.
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

    /// Whether the point is on the same side of all lines from one corner to the next.
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
