// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import IIOSensing

/// When the buffer of a captured chip is read.
@Suite struct ScanPaceTests {
    /// Returns the pace after ten scans at this frequency in hertz.
    private func pace(_ frequency: Double, rate: Double = 10, hasTimestamp: Bool = true) -> ScanPace {
        var pace = ScanPace(rate: rate)
        for scan in 0..<10 { pace.scanned(at: 100 + Double(scan) / frequency, hasTimestamp: hasTimestamp) }
        return pace
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
        pace.scanned(at: 101, hasTimestamp: true)
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
        for time in times { pace.scanned(at: time, hasTimestamp: true) }
        #expect(!pace.isFast)
    }
}
