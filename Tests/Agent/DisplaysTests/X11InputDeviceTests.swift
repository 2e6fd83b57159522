// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Displays

@Suite struct X11InputDeviceTests {
    /// Builds a device as in a reply to XIQueryDevice, in this machine's byte order.
    private func device(_ identifier: UInt16, type: UInt16 = 3, name: String = "panel", classes: [[UInt8]]) -> [UInt8] {
        words([identifier, type, 2, UInt16(classes.count), UInt16(name.utf8.count), 1]) + Array(name.utf8)
            + Array(repeating: 0, count: (4 - name.utf8.count % 4) % 4) + classes.flatMap { $0 }
    }

    private func words(_ words: [UInt16]) -> [UInt8] { words.flatMap { withUnsafeBytes(of: $0, Array.init) } }

    private func touch(mode: UInt8) -> [UInt8] { words([8, 2, 6]) + [mode, 10] }

    private func valuator(_ number: UInt16, mode: UInt8) -> [UInt8] {
        words([2, 11, 6, number]) + Array(repeating: 0, count: 32) + [mode, 0, 0, 0]
    }

    private func parse(_ bytes: [UInt8], count: Int) -> [String] {
        bytes.withUnsafeBytes {
            var reader = X11Reader($0)
            return X11InputDevice.all(in: &reader, count: count).map { "\($0.identifier) \($0.name)" }
        }
    }

    @Test func `touch screens and pens are found, mice, touchpads and master pointers are not`() {
        let bytes =
            device(2, type: 1, name: "Virtual core pointer", classes: [valuator(0, mode: 1), touch(mode: 1)])
            + device(7, name: "mouse", classes: [valuator(0, mode: 0), valuator(1, mode: 0), valuator(2, mode: 1)])
            + device(8, name: "touchpad", classes: [valuator(0, mode: 0), touch(mode: 2)])
            + device(9, name: "touch", classes: [valuator(0, mode: 0), touch(mode: 1)])
            + device(10, name: "pen", classes: [valuator(0, mode: 1), valuator(1, mode: 1)])
            + device(11, type: 5, name: "floating", classes: [touch(mode: 1)])
            + device(12, type: 4, name: "keyboard", classes: [])
        #expect(parse(bytes, count: 7) == ["9 touch", "10 pen", "11 floating"])
    }

    @Test func `a list that ends early has the devices before its end`() {
        let whole = device(9, name: "touch", classes: [touch(mode: 1)]) + device(10, classes: [touch(mode: 1)])
        for length in 0..<whole.count { #expect(parse(Array(whole[..<length]), count: 2).count <= 1) }
        #expect(parse(whole, count: 2).count == 2)
    }

    @Test func `a class without a length ends the list`() {
        #expect(parse(device(9, classes: [words([8, 0, 6]) + [1, 1]]), count: 1) == [])
    }
}
