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

    /// The format of a channel's value, and its position in the first scan; nil if it is not in the scans.
    typealias Place = (format: ScanFormat, position: UnsafeRawPointer?)

    /// Finds the values in the scans of a buffer; nil if an axis is not in them.
    init?(of axes: [AccelerometerAxis], timestamp: IIOChannel?, in buffer: borrowing IIOBuffer) {
        self.init(
            x: axes[0].channel.place(in: buffer), y: axes[1].channel.place(in: buffer),
            z: axes[2].channel.place(in: buffer), timestamp: timestamp?.place(in: buffer))
    }

    /// Finds the values at these places; nil if an axis is not in the scans.
    init?(x: Place, y: Place, z: Place, timestamp: Place?) {
        guard let start = x.position, let positionY = y.position, let positionZ = z.position else { return nil }
        self.x = Element(format: x.format, offset: 0)
        self.y = Element(format: y.format, offset: positionY - start)
        self.z = Element(format: z.format, offset: positionZ - start)
        self.timestamp = timestamp.flatMap { place in
            place.position.map { Element(format: place.format, offset: $0 - start) }
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

extension IIOChannel {
    fileprivate func place(in buffer: borrowing IIOBuffer) -> ScanLayout.Place { (scanFormat, position(in: buffer)) }
}
