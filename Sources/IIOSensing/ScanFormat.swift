// SPDX-License-Identifier: Apache-2.0

/// The encoding of one channel's value in a scan, as in the kernel's `scan_elements/…_type`.
struct ScanFormat {
    /// The storage in bytes: 1, 2, 4 or 8.
    let bytes: Int
    /// The bits of the value, at least 1.
    let bits: UInt32
    /// The number of unused bits below the value. ``bits`` plus ``shift`` is at most the storage size.
    let shift: UInt32
    let isSigned: Bool
    let isBigEndian: Bool

    /// Returns the value at a position: shifted, masked and sign-extended; nil for an unsigned one above `Int64.max`.
    func value(at position: UnsafeRawPointer) -> Int64? {
        let stored: UInt64
        switch bytes {
        case 1: stored = UInt64(position.load(as: UInt8.self))
        case 2:
            let word = position.loadUnaligned(as: UInt16.self)
            stored = UInt64(isBigEndian ? UInt16(bigEndian: word) : UInt16(littleEndian: word))
        case 4:
            let word = position.loadUnaligned(as: UInt32.self)
            stored = UInt64(isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word))
        case 8:
            let word = position.loadUnaligned(as: UInt64.self)
            stored = isBigEndian ? UInt64(bigEndian: word) : UInt64(littleEndian: word)
        default: return nil
        }
        let unused = UInt64.bitWidth - Int(bits)
        let top = (stored >> UInt64(shift)) << UInt64(unused)
        return isSigned ? Int64(bitPattern: top) >> Int64(unused) : Int64(exactly: top >> UInt64(unused))
    }
}

/// Where the values of an accelerometer are in a scan. The same for all scans of a buffer: found once, not for each scan.
struct ScanLayout {
    private let x: Element
    private let y: Element
    private let z: Element
    private let timestamp: Element?

    private struct Element {
        let format: ScanFormat
        /// In bytes after the value of x.
        let offset: Int

        func value(from x: UnsafeRawPointer) -> Int64? { format.value(at: x + offset) }
    }

    /// The values of a scan.
    struct Values {
        let x: Double
        let y: Double
        let z: Double
        /// The kernel's timestamp in nanoseconds.
        let timestamp: Int64?
    }

    /// Finds the values in the scans of a buffer; nil if an axis is not in them.
    init?(of axes: [AccelerometerAxis], timestamp: IIOChannel?, in buffer: borrowing IIOBuffer) {
        guard let start = axes[0].channel.position(in: buffer), let y = axes[1].channel.position(in: buffer),
            let z = axes[2].channel.position(in: buffer)
        else { return nil }
        x = Element(format: axes[0].channel.scanFormat, offset: 0)
        self.y = Element(format: axes[1].channel.scanFormat, offset: y - start)
        self.z = Element(format: axes[2].channel.scanFormat, offset: z - start)
        if let timestamp, let position = timestamp.position(in: buffer) {
            self.timestamp = Element(format: timestamp.scanFormat, offset: position - start)
        } else {
            self.timestamp = nil
        }
    }

    /// Returns the values of a scan, from the position of x; nil if one is invalid.
    func values(from position: UnsafeRawPointer) -> Values? {
        guard let x = x.value(from: position), let y = y.value(from: position), let z = z.value(from: position) else {
            return nil
        }
        return Values(x: Double(x), y: Double(y), z: Double(z), timestamp: timestamp?.value(from: position))
    }
}
