// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// The orientations by a classifier as a strip of coloured, named stretches; a name that does not fit is below.
struct AnswerStrip {
    private static let height = 34.0
    /// What is narrower is not seen.
    private static let leastWidth = 3.0
    /// What a letter takes, at most.
    private static let letter = 10.5

    private struct Stretch {
        var x: Double
        var width: Double
        var orientation: DeviceOrientation
        var middle: Double { x + width / 2 }

        /// The longest name that fits.
        var label: String? {
            [orientation.description, Palette.abbreviation(orientation)].first { Double($0.count) * letter < width }
        }
    }

    private let stretches: [Stretch]

    init(_ recording: ClassifiedRecording) {
        let (start, end) = (recording.span.lowerBound, recording.span.upperBound)
        let scale = (TimePanel.right - TimePanel.left) / max(end - start, TimeTicks.leastSpan)
        let ends = recording.changes.dropFirst().map(\.time) + [end]
        stretches = zip(recording.changes, ends).map { change, until in
            let width = max((until - change.time) * scale, Self.leastWidth)
            let x = min(TimePanel.left + (change.time - start) * scale, TimePanel.right - width)
            return Stretch(x: x, width: width, orientation: change.orientation)
        }
    }

    /// Whether a name is abbreviated: it does not fit.
    var hasAbbreviations: Bool {
        stretches.contains { $0.label != $0.orientation.description && $0.orientation != .unknown }
    }

    /// Draws the strip with its top at `top`; returns where it ends.
    func draw(on drawing: inout SVGDrawing, top: Double) -> Double {
        for stretch in stretches {
            drawing.rectangle(
                stretch.x, top, stretch.width, Self.height, fill: Palette.fill(stretch.orientation),
                stroke: Palette.frame)
            if let label = stretch.label { drawing.text(label, stretch.middle, top + 23, anchor: .middle) }
        }
        let narrow = stretches.filter { $0.label == nil }
        drawNames(of: narrow, on: &drawing, y: top + Self.height + 19)
        return top + Self.height + (narrow.isEmpty ? 0 : 22)
    }

    /// Where several are close together those that have room are named; the others are seen by their frames.
    private func drawNames(of narrow: [Stretch], on drawing: inout SVGDrawing, y: Double) {
        var taken = TimePanel.left - 2 * Self.letter
        for stretch in narrow {
            let name = Palette.abbreviation(stretch.orientation)
            let half = Double(name.count) * Self.letter / 2
            let middle = min(stretch.middle, TimePanel.right - half)
            guard middle - half >= taken else { continue }
            drawing.text(name, middle, y, anchor: .middle)
            taken = middle + half + Self.letter / 2
        }
    }
}
