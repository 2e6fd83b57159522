// SPDX-License-Identifier: Apache-2.0

import Glibc

/// One diagram over time: a frame with scales, background bands and lines.
struct TimePanel {
    /// A quantity over time. Each has its own dash pattern, so that lines are distinct in print.
    struct Line {
        var name: String
        var values: [Double]
        var stroke: String
        var dash: String?
        /// Whether the quantity is an angle that wraps: jumps across the scale are not joined.
        var wraps = false
    }

    static let left = 64.0
    static let right = SVGDrawing.width - 12
    static let height = 130.0

    var title: String
    var range: ClosedRange<Double>
    var ticks: [Double]
    /// The shaded ranges, explained in the title.
    var bands: [ClosedRange<Double>] = []
    var lines: [Line] = []

    /// Returns the place of a time in the width of the panels.
    static func x(_ time: Double, in span: ClosedRange<Double>) -> Double {
        let share = (time - span.lowerBound) / max(span.upperBound - span.lowerBound, TimeTicks.leastSpan)
        return left + share * (right - left)
    }

    func draw(on drawing: inout SVGDrawing, top: Double, times: [Double], span: ClosedRange<Double>) {
        for band in bands {
            let (high, low) = (y(band.upperBound), y(band.lowerBound))
            drawing.rectangle(Self.left, top + high, Self.right - Self.left, low - high, fill: Palette.band)
        }
        for tick in ticks {
            let y = top + y(tick)
            drawing.line(Self.left, y, Self.right, y, stroke: Palette.grid)
            drawing.text(short(tick), Self.left - 6, y + 6, anchor: .end)
        }
        for line in lines {
            let places = zip(times, line.values).map { (x: Self.x($0, in: span), y: top + y($1)) }
            for run in Self.runs(places, wraps: line.wraps) {
                drawing.path(run, stroke: line.stroke, width: 1.8, dash: line.dash)
            }
        }
        drawing.rectangle(Self.left, top, Self.right - Self.left, Self.height, fill: "none", stroke: Palette.frame)
        drawLegend(on: &drawing, y: top - 8)
    }

    private func drawLegend(on drawing: inout SVGDrawing, y: Double) {
        drawing.text(title, Self.left, y)
        guard lines.count > 1 else { return }
        var x = Self.right - Double(lines.count) * 80
        for line in lines {
            drawing.line(x, y - 6, x + 36, y - 6, stroke: line.stroke, width: 3, dash: line.dash)
            drawing.text(line.name, x + 42, y)
            x += 80
        }
    }
}

extension TimePanel {
    private typealias Point = (x: Double, y: Double)

    /// Returns the place of a value below the top.
    private func y(_ value: Double) -> Double {
        let inside = min(max(value, range.lowerBound), range.upperBound)
        return (range.upperBound - inside) / (range.upperBound - range.lowerBound) * Self.height
    }

    /// Returns the points to join. Of those within half a unit of the picture's width only the first, lowest, highest and last
    /// are kept: the line looks the same, and the file stays small.
    private static func runs(_ places: [Point], wraps: Bool) -> [[Point]] {
        var runs: [[Point]] = [[]]
        var column: [Point] = []
        for place in places {
            let jumps = wraps && column.last.map { abs($0.y - place.y) > height / 2 } ?? false
            if jumps || column.first.map({ place.x - $0.x >= 0.5 }) ?? false {
                runs[runs.count - 1] += shown(column)
                if jumps { runs.append([]) }
                column = []
            }
            column.append(place)
        }
        runs[runs.count - 1] += shown(column)
        return runs
    }

    private static func shown(_ column: [Point]) -> [Point] {
        let extremes = [column.min { $0.y < $1.y }, column.max { $0.y < $1.y }].compactMap(\.self)
        let points = column.prefix(1) + extremes.sorted { $0.x < $1.x } + column.suffix(1)
        return points.reduce(into: []) { shown, point in
            if shown.last.map({ $0 == point }) != true { shown.append(point) }
        }
    }
}

/// Tick marks at multiples of 1, 2 or 5 times a power of ten.
enum Ticks {
    /// Returns about `count` multiples of a round step within a range.
    static func over(_ range: ClosedRange<Double>, count: Double) -> [Double] {
        let least = (range.upperBound - range.lowerBound) / count
        let power = log10(least).rounded(.down)
        // A negative power of ten is a divisor, so that 0.3 prints as "0.3".
        let multiple = { (unit: Double) in power < 0 ? unit / pow(10, -power) : unit * pow(10, power) }
        let units = [1.0, 2, 5].first { multiple($0) >= least } ?? 10
        let first = (range.lowerBound / multiple(units)).rounded(.up)
        let last = range.upperBound / multiple(units) * (1 + TimeTicks.leastSpan)
        return stride(from: first, through: last, by: 1).map { multiple($0 * units) }
    }
}

/// The tick marks of a time scale, relative to its start.
struct TimeTicks {
    let unit: String
    /// The marks, with their times after the start in seconds.
    let ticks: [(seconds: Double, label: String)]

    /// The shortest time range, in seconds, finer than any sensor's clock.
    static let leastSpan = 1e-9
    /// The approximate number of marks that leaves room for labels.
    private static let count = 6.0
    /// The units, their length in seconds, and the longest scale that uses them.
    private static let units: [(name: String, seconds: Double, longest: Double)] = [
        ("ms", 0.001, 0.5), ("s", 1, 600), ("min", 60, 10_800), ("h", 3_600, 345_600), ("d", 86_400, .infinity),
    ]

    /// Creates the marks for a scale of `length` seconds.
    init(_ length: Double) {
        guard length >= Self.leastSpan, let unit = Self.units.first(where: { length <= $0.longest }) else {
            (unit, ticks) = ("s", [(0, "0")])
            return
        }
        self.unit = unit.name
        ticks = Ticks.over(0...length / unit.seconds, count: Self.count).map {
            ($0 * unit.seconds, $0.shortest)
        }
    }
}
