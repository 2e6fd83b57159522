// SPDX-License-Identifier: Apache-2.0

internal import CIIO

/// One channel of an ``IIODevice``.
struct IIOChannel {
    private let pointer: ContextPointer

    init(_ pointer: ContextPointer) {
        self.pointer = pointer
    }

    /// The name of the attribute with its current raw value; nil without one.
    var rawName: String? { pointer.use { iio_channel_attr_get_filename($0, "raw").map { String(cString: $0) } } }

    /// Whether the channel can be captured.
    var isScanElement: Bool { pointer.use { iio_channel_is_scan_element($0) } }

    private var dataFormat: iio_data_format {
        pointer.use { iio_channel_get_data_format($0).pointee }
    }

    /// The scan format in the kernel's notation, for example `le:s16/32>>0`.
    var format: String {
        let format = dataFormat
        let kind = "\(format.is_be ? "be" : "le"):\(format.is_signed ? "s" : "u")"
        return "\(kind)\(format.bits)/\(format.length)>>\(format.shift)"
    }

    /// Whether the scan format is valid. libiio does not check it: with an invalid one it divides by zero, or writes past
    /// the end of its memory.
    var hasValidFormat: Bool {
        let format = dataFormat
        return [8, 16, 32, 64].contains(format.length) && format.bits > 0
            && format.bits <= format.length && format.shift <= format.length - format.bits && format.repeat == 1
    }

    /// Includes the channel in the scans of the next buffer.
    func enable() { pointer.use { iio_channel_enable($0) } }

    /// Returns the channel's value in the first scan of a buffer; nil if it is absent, or an unsigned one above `Int64.max`.
    func value(in buffer: IIOBuffer) -> Int64? {
        let format = dataFormat
        return pointer.use { pointer in
            guard let position = buffer.firstScan(of: pointer) else { return nil }
            // libiio writes the bytes of the format only, with the sign in their highest bit.
            var bytes: UInt64 = 0
            iio_channel_convert(pointer, &bytes, position)
            let unused = UInt64.bitWidth - Int(format.length)
            let top = bytes << unused
            return format.is_signed ? Int64(bitPattern: top) >> unused : Int64(exactly: top >> unused)
        }
    }
}
