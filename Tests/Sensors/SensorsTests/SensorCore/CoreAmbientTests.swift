// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import Sensors

/// Light, proximity and compass of the sensor core.
@Suite struct CoreAmbientTests {
    private let socket = FakeCoreSocket()

    private func open(_ type: CoreType, sendsChanges: Bool = false) throws -> CoreAmbientSensor {
        var attributes = CoreAttributes()
        (attributes.name, attributes.sendsChanges, attributes.rates) = ("chip", sendsChanges, [1, 10])
        let sensor = CoreSensor(
            type: type, uid: CoreFrames.light, server: CoreFrames.server, id: "\(type.rawValue)0",
            attributes: attributes)
        return CoreAmbientSensor(
            CoreAmbient.describe(sensor), try CoreStream(sensor, rate: 5, socket: socket))
    }

    private func reading(_ type: CoreType, _ message: UInt32, _ payload: ProtobufWriter) throws -> AmbientReading? {
        socket.queue = [(CoreFrames.report(CoreFrames.light, (message, payload)), CoreFrames.server)]
        if case .sample(let reading, _) = try open(type).next(at: 10) { return reading }
        return nil
    }

    @Test func `light is the first of its numbers, and not negative`() throws {
        #expect(try reading(.light, 1025, CoreFrames.floats([120, 3456])) == .light(120, .lux))
        #expect(try reading(.light, 1025, CoreFrames.floats([-1])) == .light(0, .lux))
        #expect(try reading(.light, 1025, CoreFrames.floats([])) == nil)
        #expect(try reading(.light, 769, CoreFrames.floats([120])) == nil)
    }

    @Test(arguments: [UInt32(769), 1031]) func `proximity is near unless its number is 0`(message: UInt32) throws {
        #expect(try reading(.proximity, message, CoreFrames.error(1)) == .proximity(isNear: true))
        #expect(try reading(.proximity, message, CoreFrames.error(0)) == .proximity(isNear: false))
        #expect(try reading(.proximity, message, CoreFrames.floats([1])) == nil)
    }

    @Test func `the heading is that of the quaternion`() throws {
        for (z, w, heading) in [(Float(0), Float(1), 0.0), (0.38268, 0.92388, 315), (0.70711, -0.70711, 90)] {
            guard case .compass(let degrees)? = try reading(.rotation, 1025, CoreFrames.floats([0, 0, z, w])) else {
                Issue.record("no heading for \(z)")
                continue
            }
            #expect(abs(degrees - heading) < 0.01)
        }
    }

    @Test func `a sensor that sends changes is asked for them, and its first value is used`() throws {
        let sensor = try open(.light, sendsChanges: true)
        #expect(socket.sent.last?.bytes == CoreRequest.changes(CoreFrames.light).datagram(transaction: 1))
        let payload = CoreFrames.floats([7], accuracy: 0)
        socket.queue = [(CoreFrames.report(CoreFrames.light, (1025, payload)), CoreFrames.server)]
        #expect(try sensor.next(at: 10) == .sample(.light(7, .lux)))
        #expect(sensor.info.method == "sensor core, on each change")
        _ = try open(.light)
        let stream = CoreRequest.stream(CoreFrames.light, rate: 10).datagram(transaction: 1)
        #expect(socket.sent.last?.bytes == stream)
    }
}
