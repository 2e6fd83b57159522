// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import Sensors

@Suite struct SimulatedNaturalOrientationTests {
    private let row = FakeSource.row(SimulatedDevice())

    @Test(arguments: [
        "natural=landscapeLeft", "?natural=landscapeLeft",
        "mount=0,1,0;-1,0,0;0,0,1&natural=landscapeLeft", "sense=hid&natural=landscapeLeft&mount=1,0,0;0,1,0;0,0,1",
    ])
    func `the simulated device has the natural orientation of its option`(address: String) throws {
        try row.check(address)
        let source = try row.open(address, HardwareFacts())
        #expect(source.info.natural == .landscapeLeft && source.info.naturalSource == "option natural of fake:")
        #expect(try row.scan(address, HardwareFacts()).map(\.natural) == [.landscapeLeft])
        #expect(row.expected(address)?.natural == .landscapeLeft && row.expected(address)?.isHardware == false)
        #expect(try row.scan("", HardwareFacts()).map(\.natural) == [nil])
    }

    @Test func `an invalid natural orientation is refused with the valid ones`() {
        let reason = "fake: option natural: invalid value 'upright': must be portrait or landscapeLeft"
        #expect(throws: SensorFailure.unusable(reason)) { try row.check("natural=upright") }
    }
}
