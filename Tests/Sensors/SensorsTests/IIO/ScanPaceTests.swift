// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import Sensors

/// When the buffer of a captured chip is read.
@Suite struct ScanPaceTests {
    private let upright = Acceleration(x: 0, y: 9.81, z: 0)
    private let turned = Acceleration(x: 9.81, y: 0, z: 0)

    /// Returns the pace after ten scans of a moving chip at this frequency in hertz.
    private func pace(_ frequency: Double, motionRate: Double? = nil, hasTimestamp: Bool = true) -> ScanPace {
        var pace = ScanPace(motionRate: motionRate)
        for scan in 0..<10 {
            let vector = scan.isMultiple(of: 2) ? upright : turned
            pace.scanned(vector, at: 100 + Double(scan) / frequency, hasTimestamp: hasTimestamp)
        }
        return pace
    }

    /// Returns the pace after two seconds at rest; the time of the last scan is 102.
    private func restingPace(_ frequency: Double, motionRate: Double? = nil, hasTimestamp: Bool = true) -> ScanPace {
        var pace = ScanPace(motionRate: motionRate)
        for scan in 0...Int(2 * frequency) {
            pace.scanned(upright, at: 100 + Double(scan) / frequency, hasTimestamp: hasTimestamp)
        }
        return pace
    }

    @Test(arguments: [1.0, 10, 25, 40])
    func `a chip of about the needed rate is read at each scan`(frequency: Double) {
        #expect(!pace(frequency).readsBatches)
        #expect(pace(frequency).pause(after: 0) == nil)
    }

    @Test(arguments: [50.0, 200, 300])
    func `a faster chip is read at the needed rate`(frequency: Double) {
        #expect(pace(frequency).readsBatches)
        #expect(pace(frequency).pause(after: 0.001) == 0.04)
    }

    @Test(arguments: [1600.0, 3200])
    func `the scans of a pause fit into half of the kernel's buffer`(frequency: Double) throws {
        let pause = try #require(pace(frequency).pause(after: 0))
        #expect((pause * frequency - Double(IIOBuffer.kernelScans / 2)).magnitude < 1e-6)
    }

    @Test func `a chip that stops delivering is waited for`() {
        // The buffer is still empty after the pause.
        #expect(pace(50).pause(after: 0.1) == nil)
    }

    @Test func `a chip that becomes slow is read at each scan again`() {
        var pace = pace(50)
        pace.scanned(turned, at: 101, hasTimestamp: true)
        #expect(!pace.readsBatches)
    }

    @Test func `scans without timestamps are read as they arrive`() {
        #expect(!pace(50, hasTimestamp: false).readsBatches)
    }

    @Test func `a higher rate for motion subscribers shortens the pause`() {
        var pace = pace(200)
        pace.motionRate = 50
        #expect(pace.pause(after: 0) == 0.02)
        pace.motionRate = 200
        #expect(!pace.readsBatches)
    }

    @Test(arguments: [[100.0, 100.0], [100.0, 99.0], [100.0, .nan]])
    func `timestamps that repeat, decrease or are invalid cause no pause`(times: [Double]) {
        var pace = ScanPace()
        for time in times { pace.scanned(upright, at: time, hasTimestamp: true) }
        #expect(!pace.readsBatches)
    }

    // MARK: At rest

    @Test(arguments: [5.0, 10, 12.5, 50])
    func `at rest the buffer is read every 0.4 seconds`(frequency: Double) {
        #expect(restingPace(frequency).readsBatches)
        #expect(restingPace(frequency).pause(after: 0) == 0.4)
    }

    @Test(arguments: [1.0, 2, 4])
    func `at rest a chip of at most 4 Hz is read at each scan`(frequency: Double) {
        #expect(restingPace(frequency).pause(after: 0) == nil)
    }

    @Test func `at rest the scans of a pause fit into half of the kernel's buffer`() throws {
        let pause = try #require(restingPace(200).pause(after: 0))
        #expect((pause * 200 - Double(IIOBuffer.kernelScans / 2)).magnitude < 1e-6)
    }

    @Test func `a chip that stops delivering at rest is waited for after one pause`() {
        #expect(restingPace(10).pause(after: 0.39) == 0.4)
        #expect(restingPace(10).pause(after: 0.4) == nil)
    }

    @Test func `a turn ends the pauses, and a second at rest starts them again`() {
        var pace = restingPace(10)
        // The times are those of scans in the new pose, in tenths of a second.
        for scan in 1...10 {
            pace.scanned(turned, at: 102 + Double(scan) / 10, hasTimestamp: true)
            #expect(!pace.readsBatches, "scan \(scan)")
        }
        for scan in 11...12 { pace.scanned(turned, at: 102 + Double(scan) / 10, hasTimestamp: true) }
        #expect(pace.pause(after: 0) == 0.4)
    }

    @Test func `with motion subscribers the pause at rest is that in motion`() {
        #expect(restingPace(10, motionRate: 0).pause(after: 0) == nil)
        #expect(restingPace(50, motionRate: 5).pause(after: 0) == 0.04)
        var pace = restingPace(10)
        pace.motionRate = 10
        #expect(pace.pause(after: 0) == nil)
        pace.motionRate = nil
        #expect(pace.pause(after: 0) == 0.4)
    }
}
