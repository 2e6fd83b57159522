// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel

/// Which answer each attitude gives, found by asking the classifier: the bands of hysteresis as they are.
///
/// Three maps, one per answer held before: none, portrait, face up. Across: where the top edge points (turn); upwards:
/// how far the screen looks up (tilt).
struct BandsPicture {
    private static let step = 1.0
    private static let mapHeight = 250.0

    private let settings: ClassifierSettings
    private var drawing = SVGDrawing()

    static func document(_ settings: ClassifierSettings, name: String) -> String {
        var picture = BandsPicture(settings: settings)
        var top = 34.0
        picture.drawing.text("Answers by attitude, classifier: \(name)", 12, top, size: SVGDrawing.largeText)
        let maps: [(String, DeviceOrientation)] = [
            ("first answer", .unknown), ("held before: portrait", .portrait),
            ("held before: faceUp", .faceUp),
        ]
        for (title, held) in maps {
            top += 36
            picture.addMap(title, held, top: top)
            top += mapHeight + 24
        }
        picture.drawing.text("turn in degrees", TimePanel.right, top + 18, anchor: .end)
        picture.drawing.text("up: tilt in degrees; PU: portraitUpsideDown", 12, top + 18)
        return picture.drawing.document(height: top + 30, title: "Hysteresis bands of the classifier \(name)")
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
            for stretch in block.stretches {
                drawing.rectangle(
                    x(stretch.from), y(block.high), x(stretch.to) - x(stretch.from),
                    y(block.low) - y(block.high),
                    fill: Palette.fill(stretch.answer))
            }
        }
        addScales(x, y)
        for answer in DeviceOrientation.allCases {
            let name = answer == .portraitUpsideDown ? Palette.abbreviation(answer) : answer.description
            for place in Self.places(answer) {
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

    /// Equal answers along one tilt.
    private struct Stretch: Equatable {
        var from: Double
        var to: Double
        var answer: DeviceOrientation
    }

    /// Rows of the map that are alike.
    private struct Block {
        var high: Double
        var low: Double
        var stretches: [Stretch]
    }

    private func blocks(_ held: DeviceOrientation) -> [Block] {
        var blocks: [Block] = []
        for high in stride(from: 90.0, to: -90, by: -Self.step) {
            let stretches = stretches(held, tilt: high - Self.step / 2)
            if blocks.last?.stretches == stretches {
                blocks[blocks.count - 1].low = high - Self.step
            } else {
                blocks.append(Block(high: high, low: high - Self.step, stretches: stretches))
            }
        }
        return blocks
    }

    private func stretches(_ held: DeviceOrientation, tilt: Double) -> [Stretch] {
        var stretches: [Stretch] = []
        for turn in stride(from: -180.0, to: 180, by: Self.step) {
            let answer = answer(held, turn: turn + Self.step / 2, tilt: tilt)
            if stretches.last?.answer == answer {
                stretches[stretches.count - 1].to = turn + Self.step
            } else {
                stretches.append(Stretch(from: turn, to: turn + Self.step, answer: answer))
            }
        }
        return stretches
    }

    /// A fresh start with an answer held: what the bands alone say, without filter and dwell.
    private func answer(_ held: DeviceOrientation, turn: Double, tilt: Double) -> DeviceOrientation {
        var classifier = OrientationClassifier(settings: settings)
        if let place = Self.places(held).first {
            _ = classifier.ingest(
                Sample(time: 0, acceleration: Self.vector(turn: place.turn, tilt: place.tilt)))
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

    /// Where to write an answer's name on the map; the first is an attitude that gives the answer.
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
