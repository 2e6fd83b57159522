// SPDX-License-Identifier: Apache-2.0

import Glibc
import SeededRandomness
import Testing

@testable import OrientationModel

@Suite struct TiltClassifierTests {
    private var tilt = TiltClassifier()
    private var time = 0.0

    /// Holds a tilt in degrees for one second at 20 Hz; returns the resulting bands.
    private mutating func hold(_ degrees: Double, _ orientation: DeviceOrientation = .portrait) -> [TiltBand] {
        var bands: [TiltBand] = []
        for _ in 0..<20 {
            time += 0.05
            let pose = PanelPose(orientation, natural: .portrait)
            if tilt.follow(tilt: degrees, pose: pose, at: time), let band = tilt.band {
                bands.append(band)
            }
        }
        return bands
    }

    @Test(arguments: [
        (0.0, DeviceOrientation.portrait, TiltBand.vertical), (19.9, .landscapeLeft, .vertical),
        (-19.9, .portrait, .vertical), (20.1, .portrait, .tiltedUp), (-20.1, .portraitUpsideDown, .tiltedDown),
        (62, .portrait, .tiltedUp), (80, .faceUp, .faceUp), (-56, .faceDown, .faceDown),
    ])
    func `the first usable sample gives a band`(
        degrees: Double, orientation: DeviceOrientation, band: TiltBand
    ) {
        var tilt = TiltClassifier()
        #expect(tilt.follow(tilt: degrees, pose: PanelPose(orientation, natural: .portrait), at: 5) == true)
        #expect(tilt.band == band)
    }

    @Test mutating func `an unknown orientation gives no band`() {
        #expect(tilt.follow(tilt: nil, pose: nil, at: 1) == false)
        #expect(tilt.follow(tilt: 5, pose: nil, at: 2) == false)
        #expect(tilt.band == nil)
    }

    @Test mutating func `each boundary has hysteresis`() {
        #expect(hold(0) == [.vertical])
        #expect(hold(19.9) == [])
        #expect(hold(20.1) == [.tiltedUp])
        #expect(hold(15.1) == [])
        #expect(hold(14.9) == [.vertical])
        #expect(hold(-20.1) == [.tiltedDown])
        #expect(hold(-15.1) == [])
        #expect(hold(0) == [.vertical])
    }

    @Test mutating func `a face band follows the orientation`() {
        #expect(hold(40) == [.tiltedUp])
        #expect(hold(85) == [])
        #expect(hold(85, .faceUp) == [.faceUp])
        #expect(hold(56, .faceUp) == [])
        #expect(hold(54) == [.tiltedUp])
        #expect(hold(-80, .faceDown) == [.faceDown])
    }

    @Test mutating func `a device that is laid down quickly skips the tilted band`() {
        _ = hold(0)
        var bands: [TiltBand] = []
        for degrees in [15.0, 30, 45, 60, 68] {
            time += 0.05
            if tilt.follow(tilt: degrees, pose: .edge(.top), at: time) { bands.append(tilt.band ?? .vertical) }
        }
        #expect(bands == [])
        #expect(hold(85, .faceUp) == [.faceUp])
        // No candidate is left over.
        #expect(tilt.follow(tilt: 50, pose: .edge(.top), at: time + 0.05) == false)
    }

    @Test mutating func `noise at a boundary changes the band at most once`() {
        var generator = SeededGenerator(seed: 7)
        _ = hold(0)
        var changes = 0
        for _ in 0..<20_000 {
            time += 0.02
            let noise = Double.random(in: -2.4...2.4, using: &generator)
            if tilt.follow(tilt: 20 + noise, pose: .edge(.top), at: time) { changes += 1 }
        }
        #expect(changes <= 1)
    }

    @Test mutating func `a clock that is set back delays the next band`() {
        _ = hold(0)
        #expect(tilt.follow(tilt: 40, pose: .edge(.top), at: time + 0.1) == false)
        time -= 100
        #expect(hold(40) == [.tiltedUp])
    }
}
