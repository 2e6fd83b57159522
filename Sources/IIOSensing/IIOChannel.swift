// SPDX-License-Identifier: Apache-2.0

internal import CIIO

/// One channel of an ``IIODevice``; valid while the context lives.
struct IIOChannel {
    private let handle: OpaquePointer

    init(handle: OpaquePointer) {
        self.handle = handle
    }

    /// The text of an attribute of the channel, its own or one that it shares with others of its kind.
    func attribute(_ name: String) -> IIOAttribute {
        guard iio_channel_find_attr(handle, name) != nil else { return .missing }
        return .reading { iio_channel_attr_read(handle, name, $0, $1) }
    }

    /// An attribute to be written; nil where the channel has none of this name.
    func writableAttribute(_ name: String) -> IIOWritableAttribute? {
        has(name) ? .channel(handle, name) : nil
    }

    /// The file behind an attribute, for example `in_accel_scale`.
    func fileName(of attribute: String) -> String {
        iio_channel_attr_get_filename(handle, attribute).map { String(cString: $0) } ?? attribute
    }

    /// Whether the channel has an attribute of this name.
    func has(_ attribute: String) -> Bool {
        iio_channel_find_attr(handle, attribute) != nil
    }

    /// Whether it can be a part of the buffer's scans.
    var isScanElement: Bool { iio_channel_is_scan_element(handle) }

    /// How it lies in a scan, for people: as in `le:s16/32>>0`.
    var format: String {
        let format = iio_channel_get_data_format(handle).pointee
        let kind = "\(format.is_be ? "be" : "le"):\(format.is_signed ? "s" : "u")"
        return "\(kind)\(format.bits)/\(format.length)>>\(format.shift)"
    }

    /// Whether a number can lie in a scan so. libiio believes what the kernel says and divides by it, or writes beyond its
    /// own memory, where that is nonsense.
    var hasSoundFormat: Bool {
        let format = iio_channel_get_data_format(handle).pointee
        return [8, 16, 32, 64].contains(format.length) && format.bits > 0
            && format.bits <= format.length && format.shift <= format.length - format.bits && format.repeat <= 1
    }

    /// Takes the channel into the scans of the next buffer, or leaves it out.
    func setEnabled(_ isEnabled: Bool) {
        isEnabled ? iio_channel_enable(handle) : iio_channel_disable(handle)
    }

    /// The channel's number in the first scan of a buffer, shifted, masked and sign-extended.
    func value(in buffer: borrowing IIOBuffer) -> Int64? {
        guard let place = buffer.firstScan(of: handle) else { return nil }
        let format = iio_channel_get_data_format(handle).pointee
        var number: UInt64 = 0
        guard format.length <= 64 else { return nil }
        withUnsafeMutableBytes(of: &number) { iio_channel_convert(handle, $0.baseAddress, place) }
        // What was written is as long as the format says, at the beginning of the eight bytes.
        return withUnsafeBytes(of: number) { bytes in
            switch (format.length, format.is_signed) {
            case (8, true): Int64(bytes.load(as: Int8.self))
            case (8, false): Int64(bytes.load(as: UInt8.self))
            case (16, true): Int64(bytes.load(as: Int16.self))
            case (16, false): Int64(bytes.load(as: UInt16.self))
            case (32, true): Int64(bytes.load(as: Int32.self))
            case (32, false): Int64(bytes.load(as: UInt32.self))
            case (64, true): bytes.load(as: Int64.self)
            case (64, false): Int64(exactly: bytes.load(as: UInt64.self))
            default: nil
            }
        }
    }
}
