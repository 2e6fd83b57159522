// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// A drawing under construction: shapes and text, in painting order.
///
/// For phones and print: 720 units wide, so that text of 20 units has 10 pixels on a screen of 360 pixels; white
/// background; no information by colour alone.
struct SVGDrawing {
    static let width = 720.0
    static let smallText = 18.0
    static let largeText = 22.0

    private var body = ""

    func document(height: Double, title: String) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(short(Self.width)) \(short(height))" \
        width="\(short(Self.width))" height="\(short(height))" font-family="sans-serif" role="img">
        <title>\(title.escapedForMarkup)</title>
        <rect width="100%" height="100%" fill="#ffffff"/>
        \(body)</svg>

        """
    }

    mutating func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, fill: String, stroke: String = "none"
    ) {
        let place =
            "x=\"\(short(x))\" y=\"\(short(y))\" width=\"\(short(width))\" height=\"\(short(height))\""
        body += "<rect \(place) fill=\"\(fill)\" stroke=\"\(stroke)\"/>\n"
    }

    mutating func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, stroke: String = "#000000", width: Double = 1,
        dash: String? = nil
    ) {
        path([(x1, y1), (x2, y2)], stroke: stroke, width: width, dash: dash)
    }

    /// Draws a line through the points, a dot for one; nothing without any.
    mutating func path(_ points: [(x: Double, y: Double)], stroke: String, width: Double = 1.5, dash: String? = nil) {
        if points.count == 1 {
            body += "<circle cx=\"\(short(points[0].x))\" cy=\"\(short(points[0].y))\" r=\"2.5\" fill=\"\(stroke)\"/>\n"
        }
        guard points.count > 1 else { return }
        let steps = points.map { "\(short($0.x)) \(short($0.y))" }.joined(separator: "L")
        let dashes = dash.map { " stroke-dasharray=\"\($0)\"" } ?? ""
        body += "<path d=\"M\(steps)\" fill=\"none\" stroke=\"\(stroke)\" stroke-width=\"\(short(width))\""
        body += " stroke-linejoin=\"round\"\(dashes)/>\n"
    }

    enum Anchor: String {
        case start
        case middle
        case end
    }

    mutating func text(
        _ text: String, _ x: Double, _ y: Double, size: Double = smallText, anchor: Anchor = .start,
        fill: String = "#222222"
    ) {
        body += "<text x=\"\(short(x))\" y=\"\(short(y))\" font-size=\"\(short(size))\""
        body += " text-anchor=\"\(anchor.rawValue)\" fill=\"\(fill)\">\(text.escapedForMarkup)</text>\n"
    }
}

/// Formats a number with at most one decimal place, which is finer than a pixel.
func short(_ value: Double) -> String { value.rounded(places: 1).shortest }

/// Colours that are distinct for colour-blind people and in greyscale (after Okabe and Ito, 2008).
enum Palette {
    static let blue = "#0072b2"
    static let orange = "#d55e00"
    static let green = "#007a5a"
    static let grid = "#cccccc"
    static let frame = "#666666"
    /// The background of hysteresis bands.
    static let band = "#ece7d5"

    /// Returns the name of a pose, and its background, light enough for dark text.
    static func look(_ pose: PanelPose) -> (name: String, fill: String) {
        switch pose {
        case .edge(.top): ("top edge", "#a6d4f2")
        case .edge(.bottom): ("bottom edge", "#5fa8d8")
        case .edge(.right): ("right edge", "#ffd9a0")
        case .edge(.left): ("left edge", "#f0a860")
        case .faceUp: ("face up", "#b9e5c9")
        case .faceDown: ("face down", "#8fc2a5")
        }
    }
}
