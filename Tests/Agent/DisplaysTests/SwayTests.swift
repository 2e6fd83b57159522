// SPDX-License-Identifier: Apache-2.0

import Testing
import Varlink

@testable import Displays

@Suite struct SwayTests {
    private let screen = SwayDevice(identifier: "1267:11187:ELAN9008", type: "touch", hardware: [1267, 11187])
    private let monitor = SwayDevice(identifier: "8746:1:ILITEK", type: "touch", hardware: [8746, 1])
    private let pen = SwayDevice(
        identifier: "1267:11187:ELAN9008 Stylus", type: "tablet_tool", hardware: [1267, 11187])
    private let tablet = SwayDevice(identifier: "1386:890:Wacom_Intuos", type: "tablet_tool", hardware: [1386, 890])
    private let pointer = SwayDevice(identifier: "1:1:Mouse", type: "pointer", hardware: [1, 1])

    @Test func `all touch screens belong to the only output, and the pens of the same hardware`() {
        let devices = [pointer, screen, monitor, pen, tablet]
        #expect(SwayDevice.belonging(to: true, among: devices) == [screen, monitor, pen])
    }

    @Test func `beside other outputs a single touch screen belongs to the internal one`() {
        #expect(SwayDevice.belonging(to: false, among: [screen, pen, tablet]) == [screen, pen])
        // An external tablet of the panel's manufacturer.
        let wacom = SwayDevice(identifier: "1386:20949:Finger", type: "touch", hardware: [1386, 20949])
        #expect(SwayDevice.belonging(to: true, among: [wacom, tablet]) == [wacom])
    }

    @Test func `beside other outputs several touch screens are not mapped`() {
        #expect(SwayDevice.belonging(to: false, among: [screen, monitor, pen]).isEmpty)
    }

    @Test func `a single pen without a touch screen belongs to the output`() {
        #expect(SwayDevice.belonging(to: false, among: [pointer, pen]) == [pen])
        #expect(SwayDevice.belonging(to: true, among: [pen, tablet]).isEmpty)
    }

    @Test func `a command quotes the names`() {
        let device = SwayDevice(identifier: #"1:2:a"b\c; exit"#, type: "touch")
        #expect(device.mapCommand(to: "eDP-1") == #"input "1:2:a\"b\\c; exit" map_to_output "eDP-1""#)
    }

    private func message(_ type: UInt32, _ text: String) -> [UInt8] {
        var bytes = Array("i3-ipc".utf8)
        withUnsafeBytes(of: UInt32(text.utf8.count)) { bytes += $0 }
        withUnsafeBytes(of: type) { bytes += $0 }
        return bytes + text.utf8
    }

    @Test func `messages are split at any byte`() throws {
        let bytes = message(100, #"[{"identifier":"1:2:t","type":"touch","vendor":1,"product":2}]"#) + message(0, "[]")
        var decoder = SwayDecoder()
        var found: [SwayDecoder.Message] = []
        for byte in bytes {
            withUnsafeBytes(of: byte) { decoder.append($0) }
            while let next = try decoder.next() { found.append(next) }
        }
        #expect(found.map(\.type) == [100, 0])
        #expect(
            SwayDevice.parse(found[0].content) == [SwayDevice(identifier: "1:2:t", type: "touch", hardware: [1, 2])])
    }

    @Test func `an announced message over the limit is refused before it is read`() {
        var decoder = SwayDecoder()
        var bytes = message(100, "")
        withUnsafeBytes(of: UInt32(SwayDecoder.longestMessage + 1)) { bytes.replaceSubrange(6..<10, with: $0) }
        bytes.withUnsafeBytes { decoder.append($0) }
        #expect(throws: SwayDecoder.Invalid.self) { try decoder.next() }
    }

    @Test func `bytes of another protocol are refused`() {
        var decoder = SwayDecoder()
        Array("HTTP/1.1 200 OK".utf8).withUnsafeBytes { decoder.append($0) }
        #expect(throws: SwayDecoder.Invalid.self) { try decoder.next() }
    }

    @Test func `a request is the magic, the length, the type and the text`() {
        #expect(SwayDecoder.encode(.inputs) == message(100, ""))
        #expect(SwayDecoder.encode(.subscribe(.inputs)) == message(2, #"["input"]"#))
    }
}
