// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// Colours that stay apart for people who see fewer of them, and in grey (after Okabe and Ito, 2008).
enum Palette {
    static let blue = "#0072b2"
    static let orange = "#d55e00"
    static let green = "#007a5a"
    static let grid = "#cccccc"
    static let frame = "#666666"
    /// Where the classifier keeps its answer.
    static let band = "#ece7d5"

    /// The ground behind the name of an orientation; dark text is legible on each.
    static func fill(_ orientation: DeviceOrientation) -> String {
        switch orientation {
        case .unknown: "#ffffff"
        case .portrait: "#a6d4f2"
        case .portraitUpsideDown: "#5fa8d8"
        case .landscapeLeft: "#ffd9a0"
        case .landscapeRight: "#f0a860"
        case .faceUp: "#b9e5c9"
        case .faceDown: "#8fc2a5"
        }
    }

    /// A name short enough for a narrow place.
    static func abbreviation(_ orientation: DeviceOrientation) -> String {
        switch orientation {
        case .unknown: "?"
        case .portrait: "P"
        case .portraitUpsideDown: "PU"
        case .landscapeLeft: "LL"
        case .landscapeRight: "LR"
        case .faceUp: "FU"
        case .faceDown: "FD"
        }
    }
}
