// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// A recording over time: what was measured, what the classifier made of it, and what others would have answered.
struct RecordingPicture {
    /// A recording's name, and what classifiers of different settings made of it.
    struct Subject {
        var name: String
        var classified: [(classifier: String, recording: ClassifiedRecording)]
    }

    private var drawing = SVGDrawing()
    private var top = 0.0

    static func document(of subjects: [Subject]) -> String {
        var picture = RecordingPicture()
        for subject in subjects { picture.add(subject) }
        let names = subjects.map(\.name).joined(separator: ", ")
        return picture.drawing.document(height: picture.top + 8, title: "Orientation over time: \(names)")
    }

    private mutating func add(_ subject: Subject) {
        guard let first = subject.classified.first?.recording else { return }
        top += 30
        drawing.text(subject.name, 12, top, size: SVGDrawing.largeText)
        top += 14
        for (classifier, recording) in subject.classified {
            addStrip(classifier, recording)
        }
        for panel in Self.panels(first) {
            top += 30
            panel.draw(on: &drawing, top: top, times: first.times, span: first.span)
            top += TimePanel.height
        }
        addTimeScale(first.span)
    }

    /// The answers as a strip of coloured, named stretches.
    private mutating func addStrip(_ name: String, _ recording: ClassifiedRecording) {
        let height = 34.0
        top += 24
        drawing.text("classified: \(name); answers: \(recording.changes.count)", TimePanel.left, top)
        top += 8
        let (start, end) = (recording.span.lowerBound, recording.span.upperBound)
        let scale = (TimePanel.right - TimePanel.left) / max(end - start, 1e-9)
        let ends = recording.changes.dropFirst().map(\.time) + [end]
        for (change, until) in zip(recording.changes, ends) {
            let (x, width) = (TimePanel.left + (change.time - start) * scale, (until - change.time) * scale)
            drawing.rectangle(
                x, top, width, height, fill: Palette.fill(change.orientation), stroke: Palette.frame)
            if let label = Self.label(change.orientation, width) {
                drawing.text(label, x + width / 2, top + 23, anchor: .middle)
            }
        }
        top += height
    }

    /// The longest name that fits, at some ten units a letter.
    private static func label(_ orientation: DeviceOrientation, _ width: Double) -> String? {
        [orientation.description, Palette.abbreviation(orientation)].first { Double($0.count) * 10.5 < width }
    }

    private mutating func addTimeScale(_ span: ClosedRange<Double>) {
        let length = span.upperBound - span.lowerBound
        let step = Self.roundStep(length / 6)
        var time = (span.lowerBound / step).rounded(.up) * step
        while time <= span.upperBound + step * 1e-6 {
            let share = length > 0 ? (time - span.lowerBound) / length : 0
            let x = TimePanel.left + (TimePanel.right - TimePanel.left) * share
            drawing.line(x, top, x, top + 6, stroke: Palette.frame)
            drawing.text(short(time), x, top + 24, anchor: share > 0.97 ? .end : .middle)
            time += step
        }
        top += 44
        drawing.text("time in s", TimePanel.right, top, anchor: .end)
        top += 26
        drawing.text(Self.key, TimePanel.right, top, anchor: .end, fill: Palette.frame)
    }

    private static let key = "P portrait, PU upside down, LL/LR landscape left/right, FU/FD face up/down"

    /// 1, 2 or 5 times a power of ten, at least as large.
    private static func roundStep(_ least: Double) -> Double {
        var power = 0.1
        while power * 10 < least { power *= 10 }
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= least } ?? power
    }

    private static func panels(_ recording: ClassifiedRecording) -> [TimePanel] {
        let settings = recording.classifier.settings
        let gravity = Acceleration.standardGravity
        let reach = max(12, min(recording.magnitudes.max() ?? 0, 40))
        let faces = [
            TimePanel.Band(range: settings.faceLeave...settings.faceEnter),
            TimePanel.Band(range: -settings.faceEnter ... -settings.faceLeave),
        ]
        let diagonals = [-135.0, -45, 45, 135].map {
            TimePanel.Band(range: ($0 - settings.edgeMargin)...($0 + settings.edgeMargin))
        }
        return [
            TimePanel(
                title: "acceleration in m/s²", range: -reach...reach, ticks: [-gravity, 0, gravity],
                lines: [
                    .init(name: "x", values: recording.x, stroke: Palette.blue),
                    .init(name: "y", values: recording.y, stroke: Palette.orange, dash: "7 3"),
                    .init(name: "z", values: recording.z, stroke: Palette.green, dash: "2 2"),
                ]),
            TimePanel(
                title: "|a| in m/s²", range: 0...reach, ticks: [0, gravity],
                lines: [.init(name: "|a|", values: recording.magnitudes, stroke: Palette.blue)]),
            TimePanel(
                title: "tilt in degrees; shaded: face kept, not entered", range: -90...90,
                ticks: [-90, -45, 0, 45, 90], bands: faces,
                lines: [.init(name: "tilt", values: recording.tilts, stroke: Palette.blue)]),
            TimePanel(
                title: "turn in degrees; shaded: edge kept, not entered", range: -180...180,
                ticks: [-180, -90, 0, 90, 180], bands: diagonals,
                lines: [.init(name: "turn", values: recording.turns, stroke: Palette.blue, wraps: true)]),
            TimePanel(
                title: "disturbance in m/s²; shaded: answers take longer", range: 0...10,
                ticks: [0, 5, 10],
                bands: [TimePanel.Band(range: settings.calm...settings.shaken)],
                lines: [.init(name: "disturbance", values: recording.disturbances, stroke: Palette.blue)]),
        ]
    }
}
