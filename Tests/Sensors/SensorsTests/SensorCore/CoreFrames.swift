// SPDX-License-Identifier: Apache-2.0

import Posix

@testable import Sensors

/// Datagrams as the sensor core sends them.
enum CoreFrames {
    static let accelerometer = SensorUID(low: 0x1001, high: 0xC0FF_EE00_0000_0001)
    static let light = SensorUID(low: 0x1002, high: 0xC0FF_EE00_0000_0002)
    static let server = QRTRAddress(node: 9, port: 17)

    /// A packet of the name service.
    static func control(_ command: UInt32, _ address: QRTRAddress? = nil, service: UInt32 = 400) -> ArraySlice<UInt8> {
        let words: [UInt32] = [command, address == nil ? 0 : service, 1, address?.node ?? 0, address?.port ?? 0]
        var bytes: [UInt8] = []
        for word in words { bytes.append(littleEndian: word) }
        return bytes[...]
    }

    static func response(error: UInt16 = 0) -> ArraySlice<UInt8> {
        let result: [UInt8] = [2, 4, 0, error == 0 ? 0 : 1, 0, UInt8(error), 0]
        return frame(2, 0x20, result + (error == 0 ? [0x11, 4, 0, 0, 0, 0, 0] : []))
    }

    /// A large report with events of one sensor.
    static func report(
        _ sensor: SensorUID, _ events: (message: UInt32, payload: ProtobufWriter)..., ticks: [UInt64] = []
    ) -> ArraySlice<UInt8> {
        let text = ProtobufWriter {
            $0.add(1, message: sensor.message)
            for (index, event) in events.enumerated() {
                let message = ProtobufWriter {
                    $0.add(1, fixed32: event.message)
                    $0.add(2, fixed64: ticks.isEmpty ? 1 : ticks[index])
                    $0.add(3, message: event.payload)
                }
                $0.add(2, message: message)
            }
        }.bytes
        var value: [UInt8] = [0x01, 8, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x02]
        value.append(littleEndian: UInt16(text.count + 2))
        value.append(littleEndian: UInt16(text.count))
        return frame(4, 0x22, value + text)
    }

    static func list(_ type: String, _ sensors: [SensorUID]) -> ArraySlice<UInt8> {
        let list = ProtobufWriter {
            $0.add(1, bytes: Array(type.utf8) + [0])
            for sensor in sensors { $0.add(2, message: sensor.message) }
        }
        return report(.lookUp, (768, list))
    }

    static func attributes(
        of sensor: SensorUID, _ name: String = "lsm6dso", isAvailable: Bool = true, rates: [Float] = [12.5, 26, 52],
        stream: UInt64 = 0, hardwareID: UInt64 = 0, body: UInt64 = 0
    ) -> ArraySlice<UInt8> {
        var all = ProtobufWriter()
        func add(_ id: UInt64, _ values: [ProtobufWriter]) {
            let list = ProtobufWriter { for value in values { $0.add(1, message: value) } }
            let attribute = ProtobufWriter {
                $0.add(1, varint: id)
                $0.add(2, message: list)
            }
            all.add(1, message: attribute)
        }
        add(0, [ProtobufWriter { $0.add(2, bytes: Array(name.utf8) + [0]) }])
        add(3, [ProtobufWriter { $0.add(5, varint: isAvailable ? 1 : 0) }])
        add(6, rates.map { rate in ProtobufWriter { $0.add(3, fixed32: rate.bitPattern) } })
        for (id, number) in [(16, stream), (18, hardwareID), (19, body)] {
            add(UInt64(id), [ProtobufWriter { $0.add(4, fixed64: number) }])
        }
        // The range is a nested list.
        add(24, [ProtobufWriter { $0.add(1, message: ProtobufWriter { $0.add(1, bytes: [0x1D, 0, 0, 0, 0]) }) }])
        return report(sensor, (128, all))
    }

    static func floats(_ values: [Float], accuracy: UInt64 = 3) -> ProtobufWriter {
        ProtobufWriter {
            for value in values { $0.add(1, fixed32: value.bitPattern) }
            $0.add(2, varint: accuracy)
        }
    }

    static func error(_ code: UInt64) -> ProtobufWriter { ProtobufWriter { $0.add(1, varint: code) } }

    private static func frame(_ kind: UInt8, _ message: UInt16, _ values: [UInt8]) -> ArraySlice<UInt8> {
        var frame = [kind]
        for number in [1, message, UInt16(values.count)] { frame.append(littleEndian: number) }
        return (frame + values)[...]
    }
}

/// A socket whose datagrams the test provides.
final class FakeCoreSocket: CoreSocket {
    let node: UInt32 = 1
    let descriptor: Int32 = -1
    private(set) var sent: [(bytes: [UInt8], address: QRTRAddress)] = []
    var queue: [(bytes: ArraySlice<UInt8>, source: QRTRAddress)] = []
    var failure: Errno?

    func send(_ bytes: [UInt8], to address: QRTRAddress) throws(Errno) {
        if let failure { throw failure }
        sent.append((bytes, address))
    }

    func receive() throws(Errno) -> (bytes: ArraySlice<UInt8>, source: QRTRAddress)? {
        if let failure { throw failure }
        return queue.isEmpty ? nil : queue.removeFirst()
    }
}
