// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel

/// The classifier's output for each attitude, which shows its hysteresis.
///
/// Three maps, one per previous orientation: none, top edge of the unrotated picture up (`portrait` on a tall panel), face
/// up. The x axis is the turn, in which the top edge points; the y axis is the tilt of the screen.
struct BandsPicture {
    private static let step = 1.0
    private static let mapHeight = 250.0

    private let settings: ClassifierSettings
    private var drawing = SVGDrawing()

    static func document(_ settings: ClassifierSettings, name: String) -> String {
        var picture = BandsPicture(settings: settings)
        var top = 34.0
        picture.drawing.text("Orientation by attitude, classifier: \(name)", 12, top, size: SVGDrawing.largeText)
        let maps: [(String, DeviceOrientation)] = [
            ("no previous orientation", .unknown), ("previous: portrait", .portrait),
            ("previous: faceUp", .faceUp),
        ]
        for (title, held) in maps {
            top += 36
            picture.addMap(title, held, top: top)
            top += mapHeight + 24
        }
        picture.drawing.text("turn in degrees", TimePanel.right, top + 18, anchor: .end)
        picture.drawing.text("vertical: tilt in degrees; PU: portraitUpsideDown", 12, top + 18)
        picture.drawing.text("names as on a panel that is at least as tall as it is wide", 12, top + 40)
        return picture.drawing.document(height: top + 52, title: "Hysteresis of the classifier \(name)")
    }

    private init(settings: ClassifierSettings) {
        self.settings = settings
    }

    private mutating func addMap(_ title: String, _ held: DeviceOrientation, top: Double) {
        let width = TimePanel.right - TimePanel.left
        func x(_ turn: Double) -> Double { TimePanel.left + (turn + 180) / 360 * width }
        func y(_ tilt: Double) -> Double { top + (90 - tilt) / 180 * Self.mapHeight }

        drawing.text(title, TimePanel.left, top - 8)
        for block in blocks(held) {
            for segment in block.segments {
                drawing.rectangle(
                    x(segment.from), y(block.high), x(segment.to) - x(segment.from),
                    y(block.low) - y(block.high),
                    fill: Palette.fill(segment.orientation))
            }
        }
        addScales(x, y)
        for orientation in DeviceOrientation.allCases {
            let name =
                orientation == .portraitUpsideDown ? Palette.abbreviation(orientation) : orientation.description
            for place in Self.places(orientation) {
                drawing.text(name, x(place.turn), y(place.tilt) + 6, anchor: .middle)
            }
        }
        drawing.rectangle(TimePanel.left, top, width, Self.mapHeight, fill: "none", stroke: Palette.frame)
    }

    private mutating func addScales(_ x: (Double) -> Double, _ y: (Double) -> Double) {
        for tick in [-180.0, -90, 0, 90, 180] {
            drawing.line(x(tick), y(90), x(tick), y(-90), stroke: Palette.frame, dash: "1 5")
            let anchor: SVGDrawing.Anchor = tick == 180 ? .end : tick == -180 ? .start : .middle
            drawing.text(short(tick), x(tick), y(-90) + 18, anchor: anchor)
        }
        for tick in [-90.0, -45, 0, 45, 90] {
            drawing.line(x(-180), y(tick), x(180), y(tick), stroke: Palette.frame, dash: "1 5")
            drawing.text(short(tick), TimePanel.left - 6, y(tick) + 6, anchor: .end)
        }
    }

    /// A range of turns with the same orientation.
    private struct Segment: Equatable {
        var from: Double
        var to: Double
        var orientation: DeviceOrientation
    }

    /// Equal adjacent rows of the map.
    private struct Block {
        var high: Double
        var low: Double
        var segments: [Segment]
    }

    private func blocks(_ held: DeviceOrientation) -> [Block] {
        var blocks: [Block] = []
        for high in stride(from: 90.0, to: -90, by: -Self.step) {
            let segments = segments(held, tilt: high - Self.step / 2)
            if blocks.last?.segments == segments {
                blocks[blocks.count - 1].low = high - Self.step
            } else {
                blocks.append(Block(high: high, low: high - Self.step, segments: segments))
            }
        }
        return blocks
    }

    private func segments(_ held: DeviceOrientation, tilt: Double) -> [Segment] {
        var segments: [Segment] = []
        for turn in stride(from: -180.0, to: 180, by: Self.step) {
            let orientation = classify(held, turn: turn + Self.step / 2, tilt: tilt)
            if segments.last?.orientation == orientation {
                segments[segments.count - 1].to = turn + Self.step
            } else {
                segments.append(Segment(from: turn, to: turn + Self.step, orientation: orientation))
            }
        }
        return segments
    }

    /// Returns the output of a restarted classifier with a previous orientation: hysteresis without filter and dwell time.
    private func classify(_ held: DeviceOrientation, turn: Double, tilt: Double) -> DeviceOrientation {
        var classifier = OrientationClassifier(settings: settings)
        if let place = Self.places(held).first {
            _ = classifier.ingest(Sample(time: 0, acceleration: Self.vector(turn: place.turn, tilt: place.tilt)))
            classifier.restart()
        }
        _ = classifier.ingest(Sample(time: 1, acceleration: Self.vector(turn: turn, tilt: tilt)))
        return classifier.orientation
    }

    private static func vector(turn: Double, tilt: Double) -> Acceleration {
        let (turn, tilt) = (turn * .pi / 180, tilt * .pi / 180)
        let gravity = Acceleration.standardGravity
        return Acceleration(
            x: gravity * cos(tilt) * sin(turn), y: gravity * cos(tilt) * cos(turn), z: gravity * sin(tilt))
    }

    /// The positions of an orientation's name on the map; the first is an attitude that gives the orientation.
    private static func places(_ orientation: DeviceOrientation) -> [(turn: Double, tilt: Double)] {
        switch orientation {
        case .unknown: []
        case .portrait: [(0, 0)]
        case .portraitUpsideDown: [(162, 0), (-162, 0)]
        case .landscapeLeft: [(95.5, 0)]
        case .landscapeRight: [(-95.5, 0)]
        case .faceUp: [(0, 82)]
        case .faceDown: [(0, -82)]
        }
    }
}
