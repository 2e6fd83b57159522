// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import Sensors

/// When the buffer is read, and when the attribute.
@Suite struct CapturedSensorTests {
    private let scans = ScriptedScans()
    private let attribute = ScriptedAttribute("attribute")
    private let fallback = ScriptedAttribute("polled")
    private let sensor: CapturedSensor

    init() {
        sensor = CapturedSensor(
            scans, polled: attribute, convert: { .light($0 / 2, .lux) }, poll: { [fallback] in fallback })
    }

    @Test func `the first value is that of the attribute, and later ones are those of scans`() throws {
        attribute.level = 10
        let check = SourceWait.input(descriptor: 7, seconds: CapturedSensor.checkInterval)
        #expect(try sensor.next(at: 0) == .sample(.light(10, .lux), then: check))
        scans.newest = 40
        // A chip that sends many scans is read no more often than a polled one.
        let pause = SourceWait.pause(seconds: CapturedSensor.shortestInterval)
        #expect(try sensor.next(at: 1) == .sample(.light(20, .lux), then: pause))
        #expect(
            try sensor.next(at: 1.8) == .awaitInput(descriptor: 7, seconds: 1 + CapturedSensor.checkInterval - 1.8))
    }

    @Test func `a buffer that misses two changes is released, and the attribute is polled`() throws {
        for (time, level) in [(0.0, 10.0), (5, 20)] {
            attribute.level = level
            #expect(try sensor.read(at: time) == .light(level, .lux))
        }
        attribute.level = 40
        #expect(try sensor.next(at: 10) == .wait(.none))
        #expect(sensor.info.method == "polled")
        fallback.level = 41
        #expect(try sensor.next(at: 10) == .sample(.light(41, .lux), then: fallback.wait))
    }

    @Test(
        arguments: [
            [0.0, 1, 0, 2].map { AmbientReading.light($0, .lux) }, [1.0, 2, 359, 1].map(AmbientReading.compass),
        ])
    func `a buffer that sends no small changes stays in use`(readings: [AmbientReading]) throws {
        for (check, reading) in readings.enumerated() {
            attribute.reading = reading
            #expect(try sensor.read(at: Double(check) * CapturedSensor.checkInterval) == reading)
        }
        #expect(sensor.info.method == "captured from its buffer")
    }

    @Test func `a buffer that misses changes now and then stays in use`() throws {
        for (check, level) in [10.0, 20, 20, 40, 40].enumerated() {
            attribute.level = level
            _ = try sensor.read(at: Double(check) * CapturedSensor.checkInterval)
        }
        #expect(sensor.info.method == "captured from its buffer")
    }

    @Test func `after a scan an attribute that cannot be read does not count`() throws {
        scans.newest = 4
        _ = try sensor.read(at: 0)
        for check in 1...5 { #expect(try sensor.read(at: Double(check) * CapturedSensor.checkInterval) == nil) }
        #expect(sensor.info.method == "captured from its buffer")
    }

    @Test func `an attribute that fails after a success counts: otherwise the light freezes without a failure`() throws
    {
        attribute.level = 10
        #expect(try sensor.read(at: 0) == .light(10, .lux))
        attribute.level = nil
        #expect(try sensor.read(at: CapturedSensor.checkInterval) == nil)
        #expect(try sensor.next(at: 2 * CapturedSensor.checkInterval) == .wait(.none))
        #expect(sensor.info.method == "polled")
    }

    @Test func `an attribute that cannot be read while the buffer is enabled is no failure`() throws {
        #expect(try sensor.read(at: 0) == nil)
        scans.newest = 4
        #expect(try sensor.read(at: 1) == .light(2, .lux))
    }

    @Test func `a buffer without scans whose attribute cannot be read is released within a second`() throws {
        let wait = SensorStep<AmbientReading>.awaitInput(descriptor: 7, seconds: CapturedSensor.shortestInterval)
        #expect(try sensor.next(at: 0) == wait)
        #expect(try sensor.next(at: CapturedSensor.shortestInterval) == .wait(.none))
        #expect(sensor.info.method == "polled")
    }

    @Test func `the buffer is released before the sensor that replaces it is opened`() throws {
        var scans: ScriptedScans? = ScriptedScans()
        var order: [String] = []
        scans?.afterRelease = { order.append("released") }
        let sensor = CapturedSensor(
            try #require(scans), polled: attribute, convert: { _ in nil },
            poll: { [fallback] in
                order.append("opened")
                return fallback
            })
        scans = nil
        #expect(try sensor.read(at: 0) == nil)
        #expect(try sensor.next(at: CapturedSensor.shortestInterval) == .wait(.none))
        #expect(order == ["released", "opened"])
    }

    @Test func `a value in a scan that is too large for the scale is a failure`() {
        let sensor = CapturedSensor(scans, polled: attribute, convert: { _ in nil }, poll: { [fallback] in fallback })
        scans.newest = 1
        #expect(throws: SensorFailure.self) { try sensor.read(at: 0) }
    }
}

private final class ScriptedScans: ScanSource {
    var newest: Double?
    let descriptor: Int32 = 7
    var afterRelease: () -> Void = {}
    deinit { afterRelease() }

    func takeNewest() -> Double? {
        defer { newest = nil }
        return newest
    }
}

private final class ScriptedAttribute: AmbientSensor {
    let info: SensorDescription
    init(_ reading: String) {
        info = SensorDescription(.light, id: "iio:device1", name: "als", method: reading)
    }
    var reading: AmbientReading?
    var level: Double? {
        didSet { reading = level.map { .light($0, .lux) } }
    }
    let wait = SourceWait.pause(seconds: 0.8)

    func next(at now: Double) throws(SensorFailure) -> SensorStep<AmbientReading> {
        guard let reading else { throw .failed("busy") }
        return .sample(reading, then: wait)
    }
}

extension SensorSource {
    /// Returns the sample of the next step; nil if it has none.
    func read(at now: Double) throws(SensorFailure) -> Value? {
        if case .sample(let value, _) = try next(at: now) { value } else { nil }
    }
}
