// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Posix

/// The text beside the drawing: words, numbers and scales.
struct Facts {
    let device: WatchedDevice
    let width: Int
    var isASCII = false

    /// Whether there is room for the long names.
    private var isWide: Bool { width >= 40 }

    /// The column of the values.
    private var indent: Int { isWide ? 13 : width >= 30 ? 10 : 8 }

    private var disturbanceName: String { isWide ? "disturbance" : "disturb" }

    var blocks: [Block] {
        guard let state = device.state else { return links }
        var blocks = links + reasons(state) + need(state)
        switch device.motion {
        case .live(let motion): blocks += measured(motion, state)
        case .none, .refused: blocks += summary(state)
        }
        return blocks + otherFacts(state) + command
    }

    private func row(_ name: String, _ value: String, _ style: Style = .plain) -> StyledText {
        var row = StyledText(name, .dim)
        row.tab(to: indent)
        row.add(text(value), style)
        return row
    }

    /// Returns the text in the terminal's characters, as far as substitutes have another length.
    private func text(_ text: String) -> String {
        isASCII ? text.unicodeScalars.map { $0 == "°" ? " deg" : String($0) }.joined() : text
    }
}

// MARK: Without samples

extension Facts {
    /// Returns what the display needs, the degrees first if there is no room.
    private func need(_ state: OrientationState) -> [Block] {
        let desktop = SessionDisplay.rotatingDesktop
        guard let need = state.displayText(on: desktop) else { return [] }
        let edge = state.isLocked && desktop == nil ? state.lockedPanelEdge ?? state.lastPanelEdge : state.lastPanelEdge
        let degrees = edge.map { $0 == .top ? "no rotation" : "\($0.rotation)° ccw" } ?? ""
        let short = degrees + (state.isLocked && desktop == nil ? ", locked" : "")
        return [Block(rank: 1, row("display", indent + text(need).count <= width ? need : short))]
    }

    private var links: [Block] {
        if case .lost(let reason) = device.link { paragraph(rank: 0, reason, .bad) } else { [] }
    }

    private func reasons(_ state: OrientationState) -> [Block] {
        state.reason.map { paragraph(rank: 1, $0, .warning) } ?? []
    }

    /// Returns a wrapped text, cut to one row if there is no room.
    private func paragraph(rank: Int, _ text: String, _ style: Style) -> [Block] {
        let text = self.text(text)
        let lines = text.wrapped(to: width).map { StyledText($0, style) }
        guard width > 0, !lines.isEmpty else { return [] }
        return [Block(rank: rank, short: [StyledText(text, style)], long: lines)]
    }

    /// Returns the readings at the last change, and why there are no live ones.
    private func summary(_ state: OrientationState) -> [Block] {
        var blocks: [Block] = []
        let moment = isWide ? " at the last change" : ""
        if let tilt = state.tilt {
            blocks.append(Block(rank: 3, row("tilt", Decimal.text(tilt, places: 0, isSigned: true) + "°" + moment)))
        }
        if let disturbance = state.disturbance {
            blocks.append(Block(rank: 6, row(disturbanceName, Decimal.text(disturbance, places: 1) + " m/s²" + moment)))
        }
        if case .refused(let why) = device.motion { blocks += paragraph(rank: 4, why, .dim) }
        return blocks
    }
}

// MARK: With samples

extension Facts {
    private func measured(_ motion: LiveMotion, _ state: OrientationState) -> [Block] {
        let bands = Bands(settings: device.settings, held: state.orientation, natural: state.assumedNatural)
        let (tilt, turn, disturbance) = (motion.tilt.value ?? 0, motion.turn, motion.disturbance.value ?? 0)
        let turnText = turn.map { Decimal.text($0, places: 0, isSigned: true) + "°" } ?? "–"
        let turnWords = turn.map { bands.sentence(turn: $0, tilt: tilt) } ?? "device is flat"
        var blocks = [
            scaled(
                rank: 2, "tilt", motion.tilt.text(places: 0, isSigned: true) + "°", bands.sentence(tilt: tilt),
                bands.tilt(tilt)),
            scaled(rank: 3, "turn", turnText, turnWords, bands.turn(turn)),
            scaled(
                rank: 6, disturbanceName, motion.disturbance.text(places: 1) + " m/s²",
                bands.sentence(disturbance: disturbance, isMoving: motion.isMoving), bands.disturbance(disturbance)),
            vector(motion),
        ]
        let rate = motion.rate.text(places: 0) + (motion.rate.value == nil ? "" : " samples/s")
        if width >= 30 { blocks.append(Block(rank: 8, row("rate", rate))) }
        return blocks
    }

    /// Returns a number with its meaning and its scale.
    private func scaled(rank: Int, _ name: String, _ value: String, _ words: String, _ gauge: Gauge) -> Block {
        var first = row(name, value, .bold)
        let words = text(words)
        // Aligns the texts of all scales if there is room.
        let columns = [isWide ? indent + 10 : 0, 0].map { max($0, first.cells.count + 2) }
        if !words.isEmpty, let column = columns.first(where: { $0 + words.count <= width }) {
            first.tab(to: column)
            first.add(words)
        }
        return Block(rank: rank, short: [first], long: [first, gauge.scale(width: width), gauge.legend(width: width)])
    }

    private func vector(_ motion: LiveMotion) -> Block {
        let axes = [("x", motion.x), ("y", motion.y), ("z", motion.z)]
        var short = StyledText("x y z", .dim)
        short.tab(to: indent)
        short.add(axes.map { $0.1.text(places: 1, isSigned: true) }.joined(separator: " "))
        var long = axes.map { bar($0.0, $0.1) }
        long.append(row("length", motion.magnitude.text(places: 1) + " m/s²"))
        return Block(rank: 5, short: [short], long: long)
    }

    /// Returns a component with a bar from the centre to either side.
    private func bar(_ name: String, _ number: SteadyNumber) -> StyledText {
        let value = number.value ?? 0
        // A still device reads up to 9.8 m/s².
        let most = 12.0
        var text = row(name, number.text(places: 1, isSigned: true))
        text.tab(to: indent + 7)
        let length = width - text.cells.count
        guard length >= 9 else { return text }
        let half = (length - 1) / 2
        let filled = Int((min(abs(value) / most, 1) * Double(half)).rounded())
        let (left, right) = value < 0 ? (filled, 0) : (0, filled)
        text.add(String(repeating: "─", count: half - left), .dim)
        text.add(String(repeating: "━", count: left), .accent)
        text.add("│", .dim)
        text.add(String(repeating: "━", count: right), .accent)
        text.add(String(repeating: "─", count: half - right), .dim)
        return text
    }
}

// MARK: Other facts

extension Facts {
    private func otherFacts(_ state: OrientationState) -> [Block] {
        var blocks: [Block] = []
        blocks.append(Block(rank: 7, row("lock", state.lockText, state.isLocked ? .warning : .plain)))
        if let tabletMode = state.tabletMode {
            blocks.append(Block(rank: 9, row("hinge", tabletMode ? "tablet" : "laptop")))
        }
        if let edge = state.lastPanelEdge, state.panelEdge != edge {
            blocks.append(Block(rank: 10, row(width >= 30 ? "last edge" : "edge", edge.description)))
        }
        if let sensor = state.sensor { blocks.append(Block(rank: 11, row("sensor", sensor))) }
        // A narrow column needs its rows for the reasons.
        if width >= 30 { blocks.append(Block(rank: 12, row("changes", "\(state.sequence)"))) }
        return blocks
    }

    private var command: [Block] {
        switch device.command {
        case nil: []
        case .waiting: [Block(rank: 4, row("exec", "not run yet", .dim))]
        case .running: [Block(rank: 4, row("exec", "running"))]
        case .succeeded(let runs): [Block(rank: 4, row("exec", "done, \(runs) \(runs == 1 ? "run" : "runs")", .good))]
        case .failed(let why): paragraph(rank: 1, "exec: " + why, .bad)
        }
    }
}

/// A fact, in a short and a long form.
struct Block {
    /// The priority; 0 is the most important, dropped last and expanded first.
    let rank: Int
    var short: [StyledText]
    var long: [StyledText]

    init(rank: Int, short: [StyledText], long: [StyledText]? = nil) {
        self.rank = rank
        self.short = short
        self.long = long ?? short
    }

    init(rank: Int, _ row: StyledText) { self.init(rank: rank, short: [row]) }
}

/// Fits blocks into a number of rows: first as many as possible, then their long forms, then empty rows.
enum Panel {
    static func rows(_ blocks: [Block], height: Int) -> [StyledText] {
        var forms = blocks.map(\.short)
        let byRank = blocks.indices.sorted { (blocks[$0].rank, $0) < (blocks[$1].rank, $1) }
        for index in byRank.reversed() where count(forms) > height { forms[index] = [] }
        for index in byRank where !forms[index].isEmpty {
            let grown = count(forms) - forms[index].count + blocks[index].long.count
            if grown <= height { forms[index] = blocks[index].long }
        }
        let shown = forms.filter { !$0.isEmpty }
        let gaps = zip(shown, shown.dropFirst()).map { $0.count > 1 || $1.count > 1 }
        let hasGaps = count(shown) + gaps.count { $0 } <= height
        return shown.enumerated().flatMap { index, rows in
            hasGaps && index > 0 && gaps[index - 1] ? [StyledText()] + rows : rows
        }
    }

    private static func count(_ forms: [[StyledText]]) -> Int { forms.reduce(0) { $0 + $1.count } }
}
