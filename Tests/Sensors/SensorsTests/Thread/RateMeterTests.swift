// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Sensors

@Suite struct RateMeterTests {
    @Test(arguments: [1, 10, 25, 400])
    func `the rate is known after one second and follows changes`(rate: Int) {
        var meter = RateMeter()
        meter.count(at: 0)
        #expect(meter.rate == nil)
        for number in 1...rate { meter.count(at: Int64(number * 1_000_000 / rate)) }
        #expect(meter.rate == Double(rate))
        for number in 1...rate { meter.count(at: 1_000_000 + Int64(number * 2_000_000 / rate)) }
        #expect(meter.rate.map { abs($0 - Double(rate) / 2) <= 0.5 } == true)
    }

    @Test func `samples in batches give their mean rate`() {
        var meter = RateMeter()
        for bundle in 0...10 { for _ in 0..<10 { meter.count(at: Int64(bundle * 100_000)) } }
        #expect(meter.rate.map { (99...101).contains($0) } == true)
    }
}
