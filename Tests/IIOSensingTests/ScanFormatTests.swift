// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import IIOSensing

@Suite struct ScanFormatTests {
    /// Returns the value of stored bytes.
    private func value(
        _ stored: [UInt8], bits: UInt32, shift: UInt32 = 0, isSigned: Bool = true, isBigEndian: Bool = false
    ) -> Int64? {
        let format = ScanFormat(
            bytes: stored.count, bits: bits, shift: shift, isSigned: isSigned, isBigEndian: isBigEndian)
        return stored.withUnsafeBytes { $0.baseAddress.flatMap { format.value(at: $0) } }
    }

    @Test func `values of each size have their sign`() {
        #expect(value([0x80], bits: 8) == -128)
        #expect(value([0x80], bits: 8, isSigned: false) == 128)
        #expect(value([0x34, 0x12], bits: 16) == 0x1234)
        #expect(value([0xff, 0xff], bits: 16) == -1)
        #expect(value([0xff, 0xff], bits: 16, isSigned: false) == 65_535)
        #expect(value([0, 0, 0, 0x80], bits: 32) == -0x8000_0000)
        #expect(value([0, 0, 0, 0x80], bits: 32, isSigned: false) == 0x8000_0000)
        #expect(value([0, 0, 0, 0, 0, 0, 0, 0x80], bits: 64) == .min)
    }

    @Test func `an unsigned value above the range is invalid`() {
        #expect(value([255, 255, 255, 255, 255, 255, 255, 127], bits: 64, isSigned: false) == .max)
        #expect(value([0, 0, 0, 0, 0, 0, 0, 0x80], bits: 64, isSigned: false) == nil)
    }

    @Test func `big-endian values are swapped`() {
        #expect(value([0x12, 0x34], bits: 16, isBigEndian: true) == 0x1234)
        #expect(value([0xff, 0xff, 0xff, 0xfe], bits: 32, isBigEndian: true) == -2)
        #expect(value([0, 0, 0, 0, 0, 0, 1, 0], bits: 64, isBigEndian: true) == 256)
    }

    @Test func `bits below and above the value are ignored`() {
        // le:s12/16>>4, as many 12-bit chips have.
        #expect(value([0x0f, 0x80], bits: 12, shift: 4) == -2_048)
        #expect(value([0xff, 0x7f], bits: 12, shift: 4) == 2_047)
        // be:u10/32>>2, with other bits set above.
        #expect(value([0xff, 0xff, 0xf0, 0x07], bits: 10, shift: 2, isSigned: false, isBigEndian: true) == 1)
        #expect(value([0x02], bits: 1, shift: 1, isSigned: false) == 1)
    }

    @Test func `a value at an odd address is read`() {
        let format = ScanFormat(bytes: 4, bits: 32, shift: 0, isSigned: true, isBigEndian: false)
        let stored: [UInt8] = [9, 0xfe, 0xff, 0xff, 0xff]
        #expect(stored.withUnsafeBytes { $0.baseAddress.flatMap { format.value(at: $0 + 1) } } == -2)
    }
}
