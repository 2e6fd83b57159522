// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// A picture of a recording over time: the samples, and the orientation by one or more classifiers.
struct RecordingPicture {
    private static let stripHeight = 34.0
    /// The smallest width of a segment: narrower ones would be invisible.
    private static let leastWidth = 3.0
    /// The largest width of a letter.
    private static let letter = 10.5

    private var drawing = SVGDrawing()
    private var top = 0.0

    /// Draws the recording `name`, classified with one or more settings; `isDamaged`: the file is damaged after these samples.
    static func document(
        _ name: String, classified: [(classifier: String, recording: ClassifiedRecording)], isDamaged: Bool
    ) -> String {
        var picture = RecordingPicture()
        picture.add(name, classified, isDamaged)
        return picture.drawing.document(height: picture.top + 8, title: "Orientation over time: \(name)")
    }

    private mutating func add(
        _ name: String, _ classified: [(classifier: String, recording: ClassifiedRecording)], _ isDamaged: Bool
    ) {
        let first = classified[0].recording
        top += 30
        drawing.text(name, 12, top, size: SVGDrawing.largeText)
        if isDamaged {
            top += 26
            drawing.text("damaged: the data after the dashed line could not be read", 12, top)
        }
        top += 14
        for (classifier, recording) in classified {
            top += 24
            drawing.text("classifier: \(classifier); orientations: \(recording.changes.count)", TimePanel.left, top)
            top += 8
            addStrip(recording)
        }
        if classified.count > 1 {
            top += 24
            drawing.text("below: tilt, turn, disturbance and bands of \(classified[0].classifier)", 12, top)
        }
        let panelsTop = top + 30
        for panel in Self.panels(first) {
            top += 30
            panel.draw(on: &drawing, top: top, times: first.samples.map(\.time), span: first.span)
            top += TimePanel.height
        }
        if isDamaged {
            drawing.line(
                TimePanel.right, panelsTop, TimePanel.right, top, stroke: Palette.orange, width: 4, dash: "8 6")
        }
        addTimeScale(first.span)
    }

    /// Draws the orientations as coloured segments, with their names if they fit.
    private mutating func addStrip(_ recording: ClassifiedRecording) {
        let ends = recording.changes.dropFirst().map(\.time) + [recording.span.upperBound]
        for (change, end) in zip(recording.changes, ends) {
            let start = TimePanel.x(change.time, in: recording.span)
            let width = max(TimePanel.x(end, in: recording.span) - start, Self.leastWidth)
            let x = min(start, TimePanel.right - width)
            let (name, fill) = Palette.look(change.pose)
            drawing.rectangle(x, top, width, Self.stripHeight, fill: fill, stroke: Palette.frame)
            if Double(name.count) * Self.letter < width {
                drawing.text(name, x + width / 2, top + 23, anchor: .middle)
            }
        }
        top += Self.stripHeight
    }

    private mutating func addTimeScale(_ span: ClosedRange<Double>) {
        let (start, length) = (span.lowerBound, span.upperBound - span.lowerBound)
        let scale = TimeTicks(length)
        for tick in scale.ticks {
            let x = TimePanel.x(tick.seconds, in: 0...length)
            drawing.line(x, top, x, top + 6, stroke: Palette.frame)
            drawing.text(tick.label, x, top + 24, anchor: x > TimePanel.right - 20 ? .end : .middle)
        }
        top += 44
        let origin = start == 0 ? "" : ", from \(short(start)) s"
        drawing.text("time in \(scale.unit)\(origin)", TimePanel.right, top, anchor: .end)
    }

    private static func panels(_ recording: ClassifiedRecording) -> [TimePanel] {
        let settings = recording.classifier.settings
        let vectors = recording.samples.map(\.acceleration)
        let magnitudes = vectors.map(\.magnitude)
        let reach = max(12, min(magnitudes.max() ?? 0, 40))
        return [
            TimePanel(
                title: "acceleration in m/s²", range: -reach...reach, ticks: Ticks.over(-reach...reach, count: 5),
                lines: [
                    .init(name: "x", values: vectors.map(\.x), stroke: Palette.blue),
                    .init(name: "y", values: vectors.map(\.y), stroke: Palette.orange, dash: "7 3"),
                    .init(name: "z", values: vectors.map(\.z), stroke: Palette.green, dash: "2 2"),
                ]),
            TimePanel(
                title: "|a| in m/s²", range: 0...reach, ticks: Ticks.over(0...reach, count: 4),
                lines: [.init(name: "|a|", values: magnitudes, stroke: Palette.blue)]),
            TimePanel(
                title: "tilt in degrees; shaded: hysteresis of the faces", range: -90...90,
                ticks: [-90, -45, 0, 45, 90], bands: settings.faceBands,
                lines: [.init(name: "tilt", values: recording.tilts, stroke: Palette.blue)]),
            TimePanel(
                title: "turn in degrees; shaded: hysteresis of the edges", range: -180...180,
                ticks: [-180, -90, 0, 90, 180], bands: settings.edgeBands,
                lines: [.init(name: "turn", values: recording.turns, stroke: Palette.blue, wraps: true)]),
            TimePanel(
                title: "disturbance in m/s²; shaded: longer dwell time", range: 0...10,
                ticks: [0, 5, 10], bands: [settings.calm...10],
                lines: [.init(name: "disturbance", values: recording.disturbances, stroke: Palette.blue)]),
        ]
    }
}
