// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import Testing

@testable import OrientationTool

/// What `watch` draws, as text in `Screens`.
@Suite struct Screens {
    struct Sight: CustomTestStringConvertible {
        let name: String
        let device: WatchedDevice
        var columns = 80
        var rows = 24
        var grain = Grain.fine

        var testDescription: String { "\(name)-\(columns)x\(rows)" }
    }

    static let upright = WatchedDevice.told(.portrait).measuring(0, 9.8, 0)
    static let sights = [
        Sight(name: "upright", device: upright),
        Sight(name: "upright", device: upright, columns: 40, rows: 12),
        Sight(name: "upright", device: upright, columns: 20, rows: 5),
        Sight(name: "upright", device: upright, columns: 200, rows: 50),
        Sight(name: "upright", device: upright, columns: 30, rows: 40),
        Sight(name: "upright-console", device: upright, grain: .coarse),
        Sight(name: "upright-ascii", device: upright, grain: .ascii),
        Sight(name: "in-the-band", device: WatchedDevice.told(.portrait).measuring(6.5, 6.5, 3)),
        Sight(name: "upside-down", device: WatchedDevice.told(.portraitUpsideDown).measuring(0, -9.8, 0)),
        Sight(name: "left", device: WatchedDevice.told(.landscapeLeft).measuring(9.8, 0, 0)),
        Sight(name: "right", device: WatchedDevice.told(.landscapeRight).measuring(-9.8, 0, 0)),
        Sight(name: "face-up", device: WatchedDevice.told(.faceUp, lastEdge: .portrait).measuring(0, 0.5, 9.7)),
        Sight(name: "face-down", device: WatchedDevice.told(.faceDown, lastEdge: .portrait).measuring(0, 0.5, -9.7)),
        Sight(name: "unknown", device: WatchedDevice.told(.unknown, reason: "no accelerometer was found")),
        Sight(name: "refused", device: WatchedDevice.told(.landscapeLeft, isLocked: true).refused()),
        Sight(
            name: "refused", device: WatchedDevice.told(.landscapeLeft, isLocked: true).refused(), columns: 40, rows: 12
        ),
        // EndToEndTests compare this with what a terminal shows.
        Sight(
            name: "told",
            device: WatchedDevice.told(.landscapeLeft).refused(
                "This daemon shows no samples: no live vector, turn and bands.")),
        Sight(name: "lost", device: WatchedDevice.told(.landscapeRight).lost()),
        Sight(name: "failing", device: upright.executing(.failed("ended with status 3: no such output"))),
        Sight(name: "nothing-yet", device: WatchedDevice(settings: .standard)),
    ]

    /// With ORIENTATIOND_WRITE_SCREENS in the environment the screens are written anew, to be looked at.
    @Test(arguments: sights)
    func `a screen is as it was looked at`(sight: Sight) throws {
        let screen = Picture(device: sight.device, grain: sight.grain).screen(columns: sight.columns, rows: sight.rows)
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Screens/\(sight.testDescription).txt")
        if ProcessInfo.processInfo.environment["ORIENTATIOND_WRITE_SCREENS"] != nil {
            try Data((screen.text + "\n").utf8).write(to: file)
        }
        #expect(screen.text + "\n" == String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }

    @Test func `no size is too small, and nothing is ever outside`() {
        for sight in Self.sights where sight.columns == 80 && sight.grain == .fine {
            for columns in [0, 1, 2, 5, 9, 10, 11, 23, 30, 36, 37, 50, 79] {
                for rows in [0, 1, 2, 3, 5, 8, 13, 16] {
                    let screen = Picture(device: sight.device, grain: sight.grain).screen(columns: columns, rows: rows)
                    #expect(screen.lines.count == rows && screen.lines.allSatisfy { $0.count == columns })
                }
            }
        }
    }

    @Test func `a cut is marked`() {
        var screen = Screen(columns: 8, rows: 2)
        screen.put(StyledText("one two three"), row: 0, column: 0)
        screen.put(StyledText("one two"), row: 1, column: 1, width: 4)
        #expect(screen.text == "one two…\n one…")
    }

    @Test func `an ASCII screen has nothing but ASCII`() {
        for sight in Self.sights {
            let screen = Picture(device: sight.device, grain: .ascii).screen(columns: 80, rows: 24)
            #expect(screen.text.utf8.allSatisfy { $0 < 0x7f })
        }
    }

    @Test func `a name from elsewhere neither commands the terminal nor shifts what follows`() {
        let text = StyledText("a\u{1b}[2J\u{7}b\u{202e}ｗ\u{301}é")
        #expect(String(text.cells.map(\.character)) == "a·[2J·b···é")
    }

    @Test func `the noise of a still device changes nothing that is shown`() {
        let still = Self.upright
        let noisy = still.measuring(0, 9.8, 0) { number in 0.04 * (number.isMultiple(of: 2) ? 1 : -1) }
        let (one, other) = [still, noisy].map { Picture(device: $0).screen(columns: 80, rows: 24) }.pair
        #expect(ScreenChange(hasColours: true).text(from: one, to: other) == "")
    }

    @Test(arguments: [1e30, 1e200, -1e308, 1e-300])
    func `samples of any size are drawn`(value: Double) {
        let device = WatchedDevice.told(.portrait).measuring(value, 9.8, -value) {
            $0.isMultiple(of: 2) ? value : -value
        }
        let text = Picture(device: device).screen(columns: 80, rows: 24).text
        #expect(text.contains("m/s²"))
    }
}

extension Array {
    fileprivate var pair: (Element, Element) { (self[0], self[1]) }
}
