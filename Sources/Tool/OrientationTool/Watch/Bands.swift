// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// The position of an attitude within the classifier's hysteresis bands, as scales and as text.
struct Bands {
    let settings: ClassifierSettings
    let held: DeviceOrientation
    /// The natural orientation, which gives the edges their names.
    var natural = Edge.portrait

    /// The edge of the panel that is held up; nil for a face and without one.
    private var heldEdge: PanelEdge? { Edge(held).map { PanelEdge($0, natural: natural) } }

    private var heldName: String { heldEdge.map { "\($0) edge" } ?? held.text(natural: natural) }

    /// Returns the scale of the tilt, from face down to face up.
    func tilt(_ value: Double?) -> Gauge {
        let (enter, leave) = (settings.faceEnter, settings.faceLeave)
        var gauge = Gauge(range: -90...90, value: value)
        switch held {
        case .faceUp: gauge.zones.append((enter...90, .held))
        case .faceDown: gauge.zones.append((-90 ... -enter, .held))
        case .unknown: break
        default: gauge.zones.append((-leave...leave, .held))
        }
        gauge.zones += settings.faceBands.map { ($0, .band) }
        gauge.labels = [(-90, "face down"), (90, "face up"), (0, "an edge up")]
        return gauge
    }

    /// Returns the scale of the turn, a full circle, labelled with the direction of the top edge.
    func turn(_ value: Double?) -> Gauge {
        var gauge = Gauge(range: -180...180, value: value)
        let half = 45 - settings.edgeMargin
        if let edge = heldEdge {
            let centre = edge.turn
            gauge.zones.append((centre - half...centre + half, .held))
            if centre == 180 { gauge.zones.append((-180 - half ... -180 + half, .held)) }
        }
        gauge.zones += settings.edgeBands.map { ($0, .band) }
        gauge.labels = [(0, "up"), (-90, "right"), (90, "left"), (-180, "down"), (180, "down")]
        return gauge
    }

    /// Returns the tilt at which the orientation changes.
    func sentence(tilt: Double) -> String {
        let face = tilt < 0 ? DeviceOrientation.faceDown : .faceUp
        let (enter, leave) = (Self.degrees(settings.faceEnter), Self.degrees(settings.faceLeave))
        let isInBand = (settings.faceLeave...settings.faceEnter).contains(abs(tilt))
        switch held {
        case .unknown: return ""
        case .faceUp, .faceDown: return isInBand ? "\(heldName) is kept to \(leave)" : "an edge below \(leave)"
        default:
            return isInBand
                ? "\(heldName) is kept to \(enter)"
                : "\(face.text(natural: natural)) from \(tilt < 0 ? "−" : "")\(enter)"
        }
    }

    /// Returns the turn at which the orientation changes.
    func sentence(turn: Double, tilt: Double) -> String {
        guard let edge = heldEdge else { return "" }
        if abs(tilt) > settings.edgeLimit { return "no new edge beyond \(Self.degrees(settings.edgeLimit)) of tilt" }
        let off = Self.wrapped(turn - edge.turn)
        let reach = (45 + settings.edgeMargin) * (off < 0 ? -1 : 1)
        let limit = Self.degrees(Self.wrapped(edge.turn + reach))
        if abs(off) > 45 - settings.edgeMargin { return "\(heldName) is kept to \(limit)" }
        let next = PanelEdge.allCases.first { Self.wrapped($0.turn - edge.turn - (off < 0 ? -90 : 90)) == 0 }
        return next.map { "\($0) edge from \(limit)" } ?? ""
    }

    func disturbance(_ value: Double?) -> Gauge {
        let most = 10.0
        return Gauge(
            range: 0...most, zones: [(0...settings.calm, .held), (settings.calm...settings.shaken, .band)],
            value: value, labels: [(0, "calm"), ((settings.shaken + most) / 2, "shaken")])
    }

    func sentence(disturbance: Double, isMoving: Bool) -> String {
        let word = disturbance <= settings.calm ? "calm" : disturbance >= settings.shaken ? "shaken" : "partly shaken"
        return isMoving ? word + ", moving" : word
    }

    private static func degrees(_ angle: Double) -> String { Decimal.text(angle, places: 0) + "°" }

    private static func wrapped(_ angle: Double) -> Double {
        var angle = angle
        while angle > 180 { angle -= 360 }
        while angle <= -180 { angle += 360 }
        return angle
    }
}

extension ClassifierSettings {
    /// The ranges of the tilt in which both a face and an edge are kept.
    var faceBands: [ClosedRange<Double>] { [faceLeave...faceEnter, -faceEnter ... -faceLeave] }

    /// The ranges of the turn in which both neighbouring edges are kept.
    var edgeBands: [ClosedRange<Double>] {
        [-135.0, -45, 45, 135].map { $0 - edgeMargin...$0 + edgeMargin }
    }
}

extension PanelEdge {
    /// The turn while this edge is up, in degrees.
    var turn: Double {
        switch self {
        case .top: 0
        case .bottom: 180
        case .right: 90
        case .left: -90
        }
    }
}

/// A scale of one row, with zones and a mark at the value.
struct Gauge {
    enum Zone {
        /// Another orientation.
        case open
        /// Hysteresis: the current orientation is kept.
        case band
        /// The current orientation.
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
    /// The zones; later ones cover earlier ones, and the rest is open.
    var zones: [(ClosedRange<Double>, Zone)] = []
    var value: Double?
    /// The labels below the scale, centred at their values.
    var labels: [(at: Double, text: String)] = []

    func scale(width: Int) -> StyledText {
        let marked = value.map { place($0, width) }
        return (0..<max(width, 0)).reduce(into: StyledText()) { text, column in
            let cell = column == marked ? Cell(character: "◆", style: .bold) : zone(column, width).cell
            text.add(String(cell.character), cell.style)
        }
    }

    /// Returns the labels that fit, the first ones preferred.
    func legend(width: Int) -> StyledText {
        var row = [Character](repeating: " ", count: max(width, 0))
        for label in labels {
            let letters = Array(label.text)
            let start = min(max(place(label.at, width) - (letters.count - 1) / 2, 0), width - letters.count)
            guard start >= 0 else { continue }
            // Requires a blank on either side.
            let around = max(start - 1, 0)..<min(start + letters.count + 1, width)
            if row[around].allSatisfy({ $0 == " " }) {
                row.replaceSubrange(start..<start + letters.count, with: letters)
            }
        }
        return StyledText(String(row), .dim)
    }

    private func place(_ value: Double, _ width: Int) -> Int {
        let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        // Clamped before the conversion: a service may send any finite number.
        return min(Int(min(max(0, share), 1) * Double(width)), max(width - 1, 0))
    }

    private func zone(_ column: Int, _ width: Int) -> Zone {
        let middle = range.lowerBound + (Double(column) + 0.5) / Double(width) * (range.upperBound - range.lowerBound)
        return zone(at: middle)
    }

    func zone(at value: Double) -> Zone { zones.last { $0.0.contains(value) }?.1 ?? .open }
}
