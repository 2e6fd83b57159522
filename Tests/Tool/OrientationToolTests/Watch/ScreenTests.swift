// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import Testing

@testable import OrientationTool

/// The screens of `watch`, compared with the files in `Screens`.
@Suite struct ScreenTests {
    struct Scene: CustomTestStringConvertible {
        let name: String
        let device: WatchedDevice
        var columns = 80
        var rows = 24
        var grain = Grain.fine

        var testDescription: String { "\(name)-\(columns)x\(rows)" }
    }

    static let upright = WatchedDevice.state(.portrait).measuring(0, 9.8, 0)
    static let scenes = [
        Scene(name: "upright", device: upright),
        Scene(name: "upright", device: upright, columns: 40, rows: 12),
        Scene(name: "upright", device: upright, columns: 20, rows: 5),
        Scene(name: "upright", device: upright, columns: 200, rows: 50),
        Scene(name: "upright", device: upright, columns: 30, rows: 40),
        Scene(name: "upright-console", device: upright, grain: .coarse),
        Scene(name: "upright-ascii", device: upright, grain: .ascii),
        Scene(name: "in-the-band", device: WatchedDevice.state(.portrait).measuring(6.5, 6.5, 3)),
        Scene(name: "upside-down", device: WatchedDevice.state(.portraitUpsideDown).measuring(0, -9.8, 0)),
        Scene(name: "left", device: WatchedDevice.state(.landscapeLeft).measuring(9.8, 0, 0)),
        Scene(name: "right", device: WatchedDevice.state(.landscapeRight).measuring(-9.8, 0, 0)),
        Scene(name: "wide", device: WatchedDevice.state(.landscapeLeft, natural: .landscapeLeft).measuring(0, 9.8, 0)),
        Scene(
            name: "wide-turned", device: WatchedDevice.state(.portrait, natural: .landscapeLeft).measuring(-9.8, 0, 0)),
        Scene(
            name: "wide-face-down",
            device: WatchedDevice.state(.faceDown, lastEdge: .portrait, natural: .landscapeLeft).measuring(0, 0, -9.8)),
        Scene(name: "face-up", device: WatchedDevice.state(.faceUp, lastEdge: .portrait).measuring(0, 0.5, 9.7)),
        Scene(name: "face-down", device: WatchedDevice.state(.faceDown, lastEdge: .portrait).measuring(0, 0.5, -9.7)),
        Scene(name: "unknown", device: WatchedDevice.state(.unknown, reason: "no accelerometer was found")),
        Scene(name: "refused", device: WatchedDevice.state(.landscapeLeft, isLocked: true).refused()),
        Scene(
            name: "refused", device: WatchedDevice.state(.landscapeLeft, isLocked: true).refused(), columns: 40,
            rows: 12
        ),
        // EndToEndTests compare this file with a terminal.
        Scene(
            name: "told",
            device: WatchedDevice.state(.landscapeLeft).refused(
                "This daemon has no samples: no live vector, turn or bands.")),
        Scene(name: "lost", device: WatchedDevice.state(.landscapeRight).lost()),
        Scene(name: "failing", device: upright.executing(.failed("exited with status 3: no such output"))),
        Scene(name: "nothing-yet", device: WatchedDevice(settings: .standard)),
    ]

    /// Set ORIENTATIOND_WRITE_SCREENS to rewrite the files, and review the changes.
    @Test(arguments: scenes)
    func `a screen matches its file`(scene: Scene) throws {
        let screen = Picture(device: scene.device, grain: scene.grain).screen(columns: scene.columns, rows: scene.rows)
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Screens/\(scene.testDescription).txt")
        if ProcessInfo.processInfo.environment["ORIENTATIOND_WRITE_SCREENS"] != nil {
            try Data((screen.text + "\n").utf8).write(to: file)
        }
        #expect(screen.text + "\n" == String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }

    @Test func `a rate that is not known yet is a dash, not the mark of a cut`() {
        var device = WatchedDevice.state(.portrait)
        device.update([Sample(time: 0, acceleration: Acceleration(x: 0, y: 9.8, z: 0))])
        let lines = Picture(device: device).screen(columns: 80, rows: 24).text.split(separator: "\n")
        #expect(lines.contains { $0.hasSuffix("rate         –") })
    }

    @Test func `every size is drawn within its bounds`() {
        for scene in Self.scenes where scene.columns == 80 && scene.grain == .fine {
            for columns in [0, 1, 2, 5, 9, 10, 11, 23, 30, 36, 37, 50, 79] {
                for rows in [0, 1, 2, 3, 5, 8, 13, 16] {
                    let screen = Picture(device: scene.device, grain: scene.grain).screen(columns: columns, rows: rows)
                    #expect(screen.lines.count == rows && screen.lines.allSatisfy { $0.count == columns })
                }
            }
        }
    }

    @Test(arguments: 30...60)
    func `the needed degrees are not cut in a narrow terminal`(columns: Int) {
        let turned = WatchedDevice.state(.landscapeLeft)
        for device in [turned, turned.measuring(9.8, 0, 0), turned.refused(), turned.lost()] {
            for (rows, grain) in [(12, Grain.fine), (24, .fine), (24, .ascii)] {
                let lines = Picture(device: device, grain: grain).screen(columns: columns, rows: rows).text
                    .split(separator: "\n")
                #expect(lines.contains { $0.contains(/display +(needs )?270(°| deg) (ccw|counter-clockwise)$/) })
            }
        }
    }

    @Test func `cut text ends in an ellipsis`() {
        var screen = Screen(columns: 8, rows: 2)
        screen.put(StyledText("one two three"), row: 0, column: 0)
        screen.put(StyledText("one two"), row: 1, column: 1, width: 4)
        #expect(screen.text == "one two…\n one…")
    }

    @Test func `an ASCII screen contains only ASCII`() {
        for scene in Self.scenes {
            let screen = Picture(device: scene.device, grain: .ascii).screen(columns: 80, rows: 24)
            #expect(screen.text.utf8.allSatisfy { $0 < 0x7f })
            // A substitute of a unit must not be another unit: an apostrophe means minutes.
            #expect(!screen.text.contains(/[0-9]'/))
        }
    }

    @Test func `control characters in a name are replaced`() {
        let text = StyledText("a\u{1b}[2J\u{7}b\u{202e}ｗ\u{301}é")
        #expect(String(text.cells.map(\.character)) == "a·[2J·b···é")
    }

    @Test func `the noise of a still device is not shown`() {
        let still = Self.upright
        let noisy = still.measuring(0, 9.8, 0) { number in 0.04 * (number.isMultiple(of: 2) ? 1 : -1) }
        let (one, other) = [still, noisy].map { Picture(device: $0).screen(columns: 80, rows: 24) }.pair
        #expect(ScreenChange(hasColours: true).text(from: one, to: other) == "")
    }

    @Test(arguments: [1e30, 1e200, -1e308, 1e-300])
    func `samples of any size are drawn`(value: Double) {
        let device = WatchedDevice.state(.portrait).measuring(value, 9.8, -value) {
            $0.isMultiple(of: 2) ? value : -value
        }
        let text = Picture(device: device).screen(columns: 80, rows: 24).text
        #expect(text.contains("m/s²"))
    }
}

extension Array {
    fileprivate var pair: (Element, Element) { (self[0], self[1]) }
}
