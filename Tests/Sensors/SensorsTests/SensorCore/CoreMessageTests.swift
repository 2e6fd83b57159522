// SPDX-License-Identifier: Apache-2.0

import SeededRandomness
import Testing

@testable import Sensors

@Suite struct CoreMessageTests {
    @Test func `a stream request is the documented frame`() {
        let text: [UInt8] = [
            0x0A, 18, 0x09, 1, 0x10, 0, 0, 0, 0, 0, 0, 0x11, 1, 0, 0, 0, 0, 0xEE, 0xFF, 0xC0,  // the sensor
            0x15, 1, 2, 0, 0,  // message 513
            0x1A, 4, 0x08, 1, 0x10, 1,  // application processor, no wake-up
            0x22, 7, 0x12, 5, 0x0D, 0, 0, 0xD0, 0x41,  // 26 Hz
        ]
        let count = UInt8(text.count)
        let frame: [UInt8] = [0, 7, 0, 0x20, 0, count + 9, 0, 1, count + 2, 0, count, 0] + text + [0x10, 1, 0, 1]
        #expect(CoreRequest.stream(CoreFrames.accelerometer, rate: 26).datagram(transaction: 7) == frame)
    }

    @Test func `a look-up asks for all sensors of a type and for later changes`() {
        let payload: [UInt8] = [0x0A, 5] + Array("accel".utf8) + [0x10, 1, 0x18, 0]
        #expect(CoreRequest.lookUp("accel").payload == payload)
        #expect(CoreRequest.lookUp("accel").message == 512)
        #expect(CoreRequest.changes(CoreFrames.light).payload.isEmpty)
        #expect(CoreRequest.attributes(of: CoreFrames.light).payload == [0x08, 1])
    }

    @Test func `responses and packets of the name service are read`() throws {
        #expect(try CoreMessage(CoreFrames.response()) == .response(error: nil))
        #expect(try CoreMessage(CoreFrames.response(error: 94)) == .response(error: 94))
        #expect(try ControlPacket(CoreFrames.control(4, CoreFrames.server)) == .added(CoreFrames.server))
        #expect(try ControlPacket(CoreFrames.control(5, CoreFrames.server)) == .removed(CoreFrames.server))
        #expect(try ControlPacket(CoreFrames.control(4, CoreFrames.server, service: 66)) == .other)
        #expect(try ControlPacket(CoreFrames.control(4)) == .endOfList)
        #expect(ControlPacket.lookUp == [10, 0, 0, 0, 0x90, 1] + [UInt8](repeating: 0, count: 14))
    }

    private func event(_ datagram: ArraySlice<UInt8>) throws -> CoreEvent {
        guard case .report(let report) = try CoreMessage(datagram) else { throw Malformed() }
        return try #require(report.events.first)
    }

    @Test func `attributes are read, texts without the final zero, nested lists ignored`() throws {
        let attributes = try CoreAttributes(
            event(
                CoreFrames.attributes(
                    of: CoreFrames.accelerometer, isAvailable: false, rates: [52, 26, .nan, -1], stream: 1,
                    hardwareID: 3, body: 1)))
        #expect(attributes.name == "lsm6dso")
        #expect(attributes.rates == [26, 52])
        #expect(!attributes.isAvailable && attributes.sendsChanges)
        #expect(attributes.hardwareID == 3 && attributes.rigidBody == 1)
        #expect(attributes.statement.hasPrefix("1 (1 0, 2 (1 (2 (lsm6dso)))), 1 (1 3, 2 (1 (5 0))), 1 (1 6, "))
        // The name is a message with one field, too.
        let chip = try CoreAttributes(event(CoreFrames.attributes(of: CoreFrames.accelerometer, "icm4x6xx")))
        #expect(chip.statement.hasPrefix("1 (1 0, 2 (1 (2 (icm4x6xx))))"))
    }

    @Test func `attributes without a name are refused, and a name is printable ASCII`() throws {
        #expect(throws: Malformed.self) {
            try CoreAttributes(event(CoreFrames.attributes(of: CoreFrames.accelerometer, "")))
        }
        let name = "a\u{1B}[31m" + String(repeating: "é", count: 9) + String(repeating: "x", count: 99)
        let attributes = try CoreAttributes(event(CoreFrames.attributes(of: CoreFrames.accelerometer, name)))
        #expect(attributes.name == "a[31m" + String(repeating: "x", count: 59))
    }

    @Test func `floats are read packed and unpacked, and only finite ones of the right number`() throws {
        func floats(_ payload: ProtobufWriter) throws -> [Double] {
            try event(CoreFrames.report(CoreFrames.accelerometer, (1025, payload))).floats(3).values
        }
        #expect(try floats(CoreFrames.floats([0, 9.5, -1])) == [0, 9.5, -1])
        let packed = ProtobufWriter { $0.add(1, bytes: [0, 0, 0, 0, 0, 0, 0x18, 0x41, 0, 0, 0x80, 0xBF]) }
        #expect(try floats(packed) == [0, 9.5, -1])
        for values: [Float] in [[], [0, 9.5], [0, 9.5, 0, 0], [0, .nan, 0], [.infinity, 0, 0]] {
            #expect(throws: Malformed.self) { try floats(CoreFrames.floats(values)) }
        }
    }

    @Test func `a list has at most 32 sensors`() throws {
        let many = ProtobufWriter {
            $0.add(1, bytes: "accel".utf8)
            for _ in 0..<99 { $0.add(2, message: CoreFrames.light.message) }
        }
        let list = try event(CoreFrames.report(.lookUp, (768, many))).listedSensors()
        #expect(list.type == "accel" && list.sensors.count == 32)
    }

    @Test(arguments: [
        [], [4], [4, 1, 0, 0x22, 0, 0], [4, 1, 0, 0x22, 0, 1, 0], [4, 1, 0, 0x22, 0, 3, 0, 2, 0xFF, 0xFF],
        [4, 1, 0, 0x22, 0, 5, 0, 2, 2, 0, 9, 0], [4, 1, 0, 0x23, 0, 0, 0], [0, 1, 0, 0x20, 0, 0, 0],
    ])
    func `a frame that is cut or of another kind is refused`(bytes: [UInt8]) {
        #expect(throws: Malformed.self) { try CoreMessage(bytes[...]) }
    }

    /// Reads all of a datagram, as its users do.
    private func read(_ bytes: ArraySlice<UInt8>) {
        _ = try? ControlPacket(bytes)
        guard case .report(let report)? = try? CoreMessage(bytes) else { return }
        for event in report.events {
            _ = try? event.listedSensors()
            _ = try? CoreAttributes(event)
            _ = try? event.floats(3)
            _ = try? event.errorCode()
            _ = event.statement
        }
    }

    @Test func `no cut and no flipped bits of a valid frame trap`() {
        let frames = [
            CoreFrames.response(), CoreFrames.control(4, CoreFrames.server),
            CoreFrames.attributes(of: CoreFrames.accelerometer),
            CoreFrames.list("accel", [CoreFrames.accelerometer, CoreFrames.light]),
            CoreFrames.report(
                CoreFrames.accelerometer, (1025, CoreFrames.floats([0, 9.81, 0])), (130, CoreFrames.error(6))),
        ]
        var random = SeededGenerator(seed: 400)
        for frame in frames {
            for count in 0..<frame.count { read(frame.prefix(count)) }
            for bit in 0..<frame.count * 8 {
                var changed = frame
                changed[bit / 8] ^= 1 << (bit % 8)
                read(changed)
            }
            for _ in 0..<(runsAllRows ? 20_000 : 2_000) {
                var changed = frame
                for _ in 0..<3 {
                    changed[Int.random(in: 0..<frame.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                read(changed)
            }
        }
    }
}
