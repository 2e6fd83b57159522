// SPDX-License-Identifier: Apache-2.0

/// A scale of one row, with zones on it and a mark where the value is.
struct Gauge {
    enum Zone {
        /// Another answer.
        case open
        /// Either of two answers: the one that there was is kept.
        case band
        /// The answer that is held.
        case held

        fileprivate var cell: Cell {
            switch self {
            case .open: Cell(character: "─", style: .dim)
            case .band: Cell(character: "░", style: .warning)
            case .held: Cell(character: "━", style: .accent)
            }
        }
    }

    let range: ClosedRange<Double>
    /// Later ones lie on earlier ones; what no zone covers is open.
    var zones: [(ClosedRange<Double>, Zone)] = []
    var value: Double?
    /// What is written below the scale, in the middle of its place.
    var labels: [(at: Double, text: String)] = []

    func scale(width: Int) -> StyledText {
        let marked = value.map { place($0, width) }
        return (0..<max(width, 0)).reduce(into: StyledText()) { text, column in
            let cell = column == marked ? Cell(character: "◆", style: .bold) : zone(column, width).cell
            text.add(String(cell.character), cell.style)
        }
    }

    /// The labels that have room, the earlier ones first.
    func legend(width: Int) -> StyledText {
        var row = [Character](repeating: " ", count: max(width, 0))
        for label in labels {
            let letters = Array(label.text)
            let start = min(max(place(label.at, width) - (letters.count - 1) / 2, 0), width - letters.count)
            guard start >= 0 else { continue }
            // A blank on either side.
            let around = max(start - 1, 0)..<min(start + letters.count + 1, width)
            if row[around].allSatisfy({ $0 == " " }) {
                row.replaceSubrange(start..<start + letters.count, with: letters)
            }
        }
        return StyledText(String(row), .dim)
    }

    private func place(_ value: Double, _ width: Int) -> Int {
        let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        // Limited before the conversion: a service may send any finite number.
        return min(Int(min(max(0, share), 1) * Double(width)), max(width - 1, 0))
    }

    private func zone(_ column: Int, _ width: Int) -> Zone {
        let middle = range.lowerBound + (Double(column) + 0.5) / Double(width) * (range.upperBound - range.lowerBound)
        return zone(at: middle)
    }

    func zone(at value: Double) -> Zone { zones.last { $0.0.contains(value) }?.1 ?? .open }
}
