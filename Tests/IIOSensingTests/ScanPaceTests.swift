// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import IIOSensing

/// When the buffer of a captured chip is read.
@Suite struct ScanPaceTests {
    /// Returns the pace after ten scans at this frequency in hertz.
    private func pace(_ frequency: Double, rate: Double = 10, hasTimestamp: Bool = true) -> ScanPace {
        var pace = ScanPace(rate: rate)
        for scan in 0..<10 { pace.scanned(upright, at: 100 + Double(scan) / frequency, hasTimestamp: hasTimestamp) }
        return pace
    }

    private let upright = Acceleration(x: 0, y: 9.81, z: 0)
    private let turned = Acceleration(x: 9.81, y: 0, z: 0)

    /// Returns the pace after two seconds at rest, whose last scan has the time 102.
    private func restingPace(_ frequency: Double, hasTimestamp: Bool = true, sendsMotion: Bool = false) -> ScanPace {
        var pace = ScanPace(rate: 10, sendsMotion: sendsMotion)
        for scan in 0...Int(2 * frequency) {
            pace.scanned(upright, at: 100 + Double(scan) / frequency, hasTimestamp: hasTimestamp)
        }
        return pace
    }

    @Test(arguments: [5.0, 10, 12.5, 50])
    func `at rest the buffer is read every 0.4 seconds`(frequency: Double) throws {
        let pace = restingPace(frequency)
        #expect(pace.isFast)
        #expect(pace.pause(after: 0) == 0.4)
    }

    @Test(arguments: [1.0, 2, 4])
    func `a chip that is slower than that is read at each scan at rest, too`(frequency: Double) {
        #expect(restingPace(frequency).pause(after: 0) == nil)
    }

    @Test func `a turn ends the pauses of a chip of about the needed rate`() {
        var pace = restingPace(10)
        pace.scanned(turned, at: 102.1, hasTimestamp: true)
        #expect(!pace.isFast)
        // At rest again in the new pose.
        for scan in 2...11 { pace.scanned(turned, at: 102 + Double(scan) / 10, hasTimestamp: true) }
        #expect(pace.pause(after: 0) == 0.4)
    }

    @Test func `motion subscribers receive samples at rest as soon as in motion`() {
        #expect(restingPace(10, sendsMotion: true).pause(after: 0) == nil)
        #expect(restingPace(50, sendsMotion: true).pause(after: 0) == 0.1)
        var pace = restingPace(10)
        pace.sendsMotion = true
        #expect(pace.pause(after: 0) == nil)
    }

    @Test func `scans without timestamps are read as they arrive at rest, too`() {
        #expect(restingPace(10, hasTimestamp: false).pause(after: 0) == nil)
    }

    @Test(arguments: [1.0, 10, 12.5, 16])
    func `a chip of about the needed rate is read at each scan`(frequency: Double) {
        #expect(!pace(frequency).isFast)
        #expect(pace(frequency).pause(after: 0) == nil)
    }

    @Test(arguments: [25.0, 50, 200, 300])
    func `a faster chip is read at the needed rate`(frequency: Double) throws {
        #expect(pace(frequency).isFast)
        #expect(try #require(pace(frequency).pause(after: 0.001)) == 0.1)
    }

    @Test func `the scans of a pause fit into half of the kernel's buffer`() throws {
        let pause = try #require(pace(1600).pause(after: 0))
        #expect((pause * 1600 - Double(IIOBuffer.kernelScans / 2)).magnitude < 1e-6)
    }

    @Test func `a chip that stops delivering is waited for`() {
        // The buffer is still empty after the pause.
        #expect(pace(50).pause(after: 0.1) == nil)
    }

    @Test func `a chip that becomes slow is read at each scan again`() {
        var pace = pace(50)
        pace.scanned(upright, at: 100.4, hasTimestamp: true)
        #expect(!pace.isFast)
    }

    @Test func `scans without timestamps are read as they arrive`() {
        #expect(!pace(50, hasTimestamp: false).isFast)
    }

    @Test func `a higher rate for motion subscribers shortens the pause`() {
        var pace = pace(200)
        pace.rate = 50
        #expect(pace.pause(after: 0) == 0.02)
        pace.rate = 200
        #expect(!pace.isFast)
    }

    @Test(arguments: [[100.0, 100.0], [100.0, 99.0], [100.0, .nan]])
    func `timestamps that repeat, decrease or are invalid cause no pause`(times: [Double]) {
        var pace = ScanPace(rate: 10)
        for time in times { pace.scanned(upright, at: time, hasTimestamp: true) }
        #expect(!pace.isFast)
    }
}
