// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import IIOSensing

@Suite struct ScanLayoutTests {
    private static let x = ScanFormat(bytes: 2, bits: 12, shift: 4, isSigned: true, isBigEndian: false)
    private static let y = ScanFormat(bytes: 4, bits: 32, shift: 0, isSigned: true, isBigEndian: true)
    private static let z = ScanFormat(bytes: 1, bits: 8, shift: 0, isSigned: true, isBigEndian: false)
    private static let timestamp = ScanFormat(bytes: 8, bits: 64, shift: 0, isSigned: true, isBigEndian: false)
    /// Formats that the kernel does not have.
    private static let invalidFormats = [0, 3, 16].map {
        ScanFormat(bytes: $0, bits: 8, shift: 0, isSigned: true, isBigEndian: false)
    }

    /// The stored bytes of x -1000, y 70000, z -3 and the timestamp 0x0102030405060708.
    private static let stored: [Character: [UInt8]] = [
        "x": [0x8f, 0xc1], "y": [0x00, 0x01, 0x11, 0x70], "z": [0xfd], "t": [8, 7, 6, 5, 4, 3, 2, 1],
    ]

    /// All orders of the axes, each without a timestamp (`t`) and with one before or after them.
    private static let orders = ["xyz", "xzy", "yxz", "yzx", "zxy", "zyx"].flatMap { [$0, "t" + $0, $0 + "t"] }

    /// Returns the offset of each channel, aligned as in the kernel, and the size of a scan.
    private static func offsets(_ order: String) -> (offsets: [Character: Int], size: Int) {
        var offsets: [Character: Int] = [:]
        var end = 0
        for channel in order {
            let bytes = stored[channel]?.count ?? 0
            let offset = (end + bytes - 1) / bytes * bytes
            offsets[channel] = offset
            end = offset + bytes
        }
        return (offsets, end)
    }

    /// Finds the layout in a first scan of zeros; returns the values of the second scan, or nil without a layout. A channel
    /// that is not in `order` has no position.
    private func secondScan(
        _ order: String, x: ScanFormat = x, y: ScanFormat = y, z: ScanFormat = z, timestamp: ScanFormat? = timestamp
    ) -> ScanLayout.Values? {
        let (offsets, size) = Self.offsets(order)
        var scans = [UInt8](repeating: 0, count: 2 * size)
        for (channel, offset) in offsets {
            for (index, byte) in (Self.stored[channel] ?? []).enumerated() { scans[size + offset + index] = byte }
        }
        return scans.withUnsafeBytes { bytes in
            func place(_ format: ScanFormat, _ channel: Character) -> ScanLayout.Place {
                (format, offsets[channel].flatMap { offset in bytes.baseAddress.map { $0 + offset } })
            }
            let layout = ScanLayout(
                x: place(x, "x"), y: place(y, "y"), z: place(z, "z"), timestamp: timestamp.map { place($0, "t") })
            let position = bytes.baseAddress.map { $0 + size + (offsets["x"] ?? 0) }
            return layout.flatMap { layout in position.flatMap { layout.values(from: $0) } }
        }
    }

    @Test(arguments: ["yz", "xz", "xy", "yzt", "t", ""])
    func `a buffer without an axis has no layout`(order: String) {
        #expect(secondScan(order) == nil)
    }

    @Test(arguments: invalidFormats)
    func `a scan with an axis in an invalid format has no values`(format: ScanFormat) {
        #expect(secondScan("xyzt", x: format) == nil)
        #expect(secondScan("xyzt", y: format) == nil)
        #expect(secondScan("xyzt", z: format) == nil)
    }

    @Test(arguments: invalidFormats)
    func `a scan with a timestamp in an invalid format has values without a timestamp`(format: ScanFormat) throws {
        let values = try #require(secondScan("xyzt", timestamp: format))
        #expect([values.x, values.y, values.z] == [-1_000, 70_000, -3])
        #expect(values.timestamp == nil)
    }

    @Test(arguments: orders)
    func `a scan with its channels in any order has their values`(order: String) throws {
        let values = try #require(secondScan(order))
        #expect([values.x, values.y, values.z] == [-1_000, 70_000, -3])
        #expect(values.timestamp == (order.contains("t") ? 0x0102_0304_0506_0708 : nil))
    }

    @Test func `a device without a timestamp channel has values without a timestamp`() throws {
        let values = try #require(secondScan("xyzt", timestamp: nil))
        #expect(values.z == -3)
        #expect(values.timestamp == nil)
    }
}
