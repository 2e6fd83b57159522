// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// The user's rotation lock: open, or closed with the edge that it holds.
nonisolated enum RotationLock: Equatable {
    case open
    /// Closed; nil where no edge was up when it was closed and none was named.
    case closed(Edge?)

    /// The form in which it is kept: `open`, `closed`, or `closed landscapeLeft`.
    var text: String {
        switch self {
        case .open: "open\n"
        case .closed(nil): "closed\n"
        case .closed(let edge?): "closed \(edge)\n"
        }
    }

    /// Reads that form; nil where it is damaged.
    init?(text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        switch (words.first, words.count) {
        case ("open", 1): self = .open
        case ("closed", 1): self = .closed(nil)
        case ("closed", 2):
            guard let edge = Edge(words[1]) else { return nil }
            self = .closed(edge)
        default: return nil
        }
    }
}
