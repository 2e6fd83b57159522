// SPDX-License-Identifier: Apache-2.0

/// One diagram over time: a frame with its scales, bands behind, lines before.
struct TimePanel {
    /// A quantity over time. Every one has a dash of its own, so that they stay apart in print.
    struct Line {
        var name: String
        var values: [Double]
        var stroke: String
        var dash: String?
        /// An angle that jumps from one end of the scale to the other is not joined across.
        var wraps = false
    }

    /// A range of values to be marked; the title says why.
    struct Band {
        var range: ClosedRange<Double>
    }

    static let left = 64.0
    static let right = SVGDrawing.width - 12
    static let height = 130.0

    var title: String
    var range: ClosedRange<Double>
    var ticks: [Double]
    var bands: [Band] = []
    var lines: [Line] = []

    /// Draws the panel with its top at `top`.
    func draw(on drawing: inout SVGDrawing, top: Double, times: [Double], span: ClosedRange<Double>) {
        let scale = Scale(top: top, range: range, span: span)
        for band in bands {
            let (high, low) = (scale.y(band.range.upperBound), scale.y(band.range.lowerBound))
            drawing.rectangle(Self.left, high, Self.right - Self.left, low - high, fill: Palette.band)
        }
        for tick in ticks {
            let y = scale.y(tick)
            drawing.line(Self.left, y, Self.right, y, stroke: Palette.grid)
            drawing.text(short(tick), Self.left - 6, y + 6, anchor: .end)
        }
        for line in lines {
            for run in scale.runs(line, times) {
                if run.count == 1 {
                    drawing.dot(run[0].x, run[0].y, fill: line.stroke)
                } else {
                    drawing.path(run, stroke: line.stroke, width: 1.8, dash: line.dash)
                }
            }
        }
        drawing.rectangle(
            Self.left, top, Self.right - Self.left, Self.height, fill: "none", stroke: Palette.frame)
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

/// From times and values to places in the panel.
private struct Scale {
    var top: Double
    var range: ClosedRange<Double>
    var span: ClosedRange<Double>

    func x(_ time: Double) -> Double {
        let share = (time - span.lowerBound) / max(span.upperBound - span.lowerBound, TimeTicks.leastSpan)
        return TimePanel.left + share * (TimePanel.right - TimePanel.left)
    }

    func y(_ value: Double) -> Double {
        let inside = min(max(value, range.lowerBound), range.upperBound)
        let share = (range.upperBound - inside) / (range.upperBound - range.lowerBound)
        return top + share * TimePanel.height
    }

    /// The points to be joined. Where many samples share a column of the picture only its first, lowest, highest and
    /// last are kept: what a pen of that width would leave, in a file that stays small.
    func runs(_ line: TimePanel.Line, _ times: [Double]) -> [[(x: Double, y: Double)]] {
        var runs: [[(x: Double, y: Double)]] = [[]]
        var column = Column()
        for (time, value) in zip(times, line.values) {
            let place = (x: x(time), y: y(value))
            let jumps = line.wraps && column.last.map { abs($0.y - place.y) > TimePanel.height / 2 } ?? false
            if jumps || !column.takes(place) {
                runs[runs.count - 1] += column.points
                if jumps { runs.append([]) }
                column = Column(place)
            }
        }
        runs[runs.count - 1] += column.points
        return runs
    }
}

/// The samples that fall into one half unit of the picture's width.
private struct Column {
    private typealias Point = (x: Double, y: Double)
    private var first: Point?
    private var lowest: Point?
    private var highest: Point?
    private(set) var last: (x: Double, y: Double)?

    init() {}

    init(_ point: (x: Double, y: Double)) {
        (first, lowest, highest, last) = (point, point, point, point)
    }

    /// Takes in the point if it belongs to this column.
    mutating func takes(_ point: (x: Double, y: Double)) -> Bool {
        guard let first, let lowest, let highest else {
            self = Column(point)
            return true
        }
        guard point.x - first.x < 0.5 else { return false }
        if point.y < lowest.y { self.lowest = point }
        if point.y > highest.y { self.highest = point }
        last = point
        return true
    }

    var points: [(x: Double, y: Double)] {
        guard let first, let lowest, let highest, let last else { return [] }
        let inner = [lowest, highest].sorted { $0.x < $1.x }
        var points = [first]
        for point in inner + [last] where point != points[points.count - 1] { points.append(point) }
        return points
    }
}
