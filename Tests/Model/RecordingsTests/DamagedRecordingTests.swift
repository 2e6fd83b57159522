// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Recordings
import SeededRandomness
import Testing

/// Seeded random damage to recordings.
@Suite struct DamagedRecordingTests {
    private static let whole: [UInt8] = {
        var header = RecordingHeader()
        header.device = "bma250"
        header.scale = [0.038344, 0.038344, 0.038344]
        header.rate = 31.25
        var writer = RecordingWriter(.recording(header))
        let lines = (0..<12).map { index in
            writer.line(
                RecordedSample(
                    Sample(time: Double(index) / 31.25, acceleration: Acceleration(x: 0.1, y: -9.81, z: 1e-3)),
                    raw: index == 5 ? nil : RecordedSample.Raw(x: 3, y: -256, z: 0)))
        }
        return Array(([writer.beginning()] + lines + [writer.ending()]).joined().utf8)
    }()

    private func damaged(_ dice: inout SeededGenerator) -> [UInt8] {
        var bytes = Self.whole
        for _ in 0...dice.roll(4) {
            let place = dice.roll(bytes.count)
            switch dice.roll(5) {
            case 0: bytes[place] = UInt8(dice.roll(256))
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(UInt8(dice.roll(256)), at: place)
            case 3: bytes.removeSubrange(place..<min(place + dice.roll(40), bytes.count))
            default: bytes.insert(contentsOf: bytes[place..<min(place + dice.roll(60), bytes.count)], at: place)
            }
            if bytes.isEmpty { return [10] }
        }
        return bytes
    }

    @Test(arguments: 1...8)
    func `a damaged recording gives the same samples for all chunk sizes, and only valid ones`(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        for _ in 0..<150 {
            let bytes = damaged(&dice)
            let reading = Reading(bytes: bytes, chunk: 4096)
            let cut = Reading(bytes: bytes, chunk: 1 + dice.roll(30))
            #expect(cut.samples == reading.samples && cut.error == reading.error)
            #expect(reading.times == reading.times.sorted())
            #expect(reading.samples.allSatisfy { $0.sample.acceleration.isFinite && $0.sample.time.isFinite })
            let lines = bytes.count { $0 == 10 } + 1
            if let error = reading.error { #expect((1...lines + 1).contains(error.line), "\(error)") }
        }
    }
}

extension SeededGenerator {
    /// Returns a random integer from 0 up to, but not including, `count`.
    fileprivate mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }
}
