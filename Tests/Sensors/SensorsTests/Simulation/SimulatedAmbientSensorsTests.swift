// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import Sensors

@Suite struct SimulatedAmbientSensorsTests {
    @Test func `the simulated sensors count until a value is set`() throws {
        let sensors = SimulatedDevice()
        let read = { kind in try sensors.read(kind, at: 0) }
        #expect(try (0..<3).map { _ in try read(.light) } == [.light(0, .lux), .light(1, .lux), .light(2, .lux)])
        #expect(try (0..<2).map { _ in try read(.compass) } == [.compass(10), .compass(20)])
        #expect(try read(.proximity) == .proximity(isNear: false))
        sensors.move(.set(.light(300, .lux)), at: 0)
        sensors.move(.set(.proximity(isNear: true)), at: 0)
        #expect(try read(.light) == .light(300, .lux))
        #expect(try read(.proximity) == .proximity(isNear: true))
        #expect(try sensors.source([.light]).scan(HardwareFacts()).map(\.info.kind) == [.light])
    }

    @Test func `the simulated sensors fail with their device, for the same time`() throws {
        let sensors = SimulatedDevice()
        sensors.move(.fail(.failed, duration: 2), at: 10)
        #expect(throws: SensorFailure.failed("simulated failure, as requested")) { try sensors.read(.light, at: 11) }
        sensors.move(.fail(.silent, duration: 2), at: 20)
        #expect(try sensors.read(.light, at: 21) == nil)
        sensors.move(.fail(.gone, duration: 2), at: 30)
        #expect(throws: SensorFailure.gone("simulated removal, as requested")) { try sensors.read(.light, at: 31) }
        #expect(try sensors.read(.light, at: 32) == .light(0, .lux))
        sensors.move(.fail(.gone, duration: .infinity), at: 40)
        #expect(try sensors.source([.light]).scan(HardwareFacts()).isEmpty)
    }
}
