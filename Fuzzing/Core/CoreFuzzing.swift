// SPDX-License-Identifier: Apache-2.0

@testable import Sensors

/// The entry point of libFuzzer. The input is datagrams, each after a byte with its length: the connection to the sensor core and
/// all readers of events receive them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCore(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var rest = Array(UnsafeBufferPointer(start: start, count: count))[...]
    let server = QRTRAddress(node: 9, port: 17)
    var connection = CoreConnection(types: CoreType.allCases, permitsLocal: false)
    _ = connection.opened(node: 1)
    for packet: [UInt32] in [[4, 400, 1, 9, 17], [4, 0, 0, 0, 0]] {
        var bytes: [UInt8] = []
        for number in packet { bytes.append(littleEndian: number) }
        _ = connection.received(bytes[...], from: .control(of: 1))
    }
    while let length = rest.popFirst() {
        let datagram = rest.prefix(Int(length))
        rest = rest.dropFirst(Int(length))
        _ = connection.received(datagram, from: server)
        _ = try? ControlPacket(datagram)
        guard case .report(let report)? = try? CoreMessage(datagram) else { continue }
        for event in report.events {
            _ = try? CoreAttributes(event)
            _ = try? event.floats(3)
            _ = try? event.number(1)
            precondition(event.statement.count <= CoreEvent.longestStatement, "too long a statement")
        }
    }
    _ = connection.timerFired()
    precondition(connection.list.sensors.count <= CoreType.allCases.count * CoreEvent.longestList, "too many sensors")
    return 0
}
