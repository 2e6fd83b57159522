// SPDX-License-Identifier: Apache-2.0

import Support

/// A thing to know, in a short and a long form.
struct Block {
    /// What matters most is 0: it goes last when there is no room, and is the first to have its long form.
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

/// Chooses what of the blocks fits in so many rows: first as many as possible, then their long forms, then air.
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
        let isAiry = count(shown) + gaps.count { $0 } <= height
        return shown.enumerated().flatMap { index, rows in
            isAiry && index > 0 && gaps[index - 1] ? [StyledText()] + rows : rows
        }
    }

    private static func count(_ forms: [[StyledText]]) -> Int { forms.reduce(0) { $0 + $1.count } }
}

/// Breaks text at blanks.
enum Paragraph {
    static func lines(_ text: String, width: Int, _ style: Style = .plain) -> [StyledText] {
        width > 0 ? text.wrapped(to: width).map { StyledText($0, style) } : []
    }
}
