// SPDX-License-Identifier: Apache-2.0

internal import CIIO

/// One device of an ``IIOContext``; valid while the context lives.
struct IIODevice {
    private let handle: OpaquePointer

    init(handle: OpaquePointer) {
        self.handle = handle
    }

    /// The kernel's name for it, for example `iio:device0`.
    var id: String { String(cString: iio_device_get_id(handle)) }

    /// The driver's name for it, for example `kxcjk1013`; not a chip's name on ACPI machines.
    var name: String? { iio_device_get_name(handle).map { String(cString: $0) } }

    /// What firmware calls it, for example `accel-display`.
    var label: String? { iio_device_get_label(handle).map { String(cString: $0) } }

    /// The input channel of this name or id.
    func channel(_ name: String) -> IIOChannel? {
        iio_device_find_channel(handle, name, false).map(IIOChannel.init)
    }

    /// The text of an attribute of the device itself.
    func attribute(_ name: String) -> IIOAttribute {
        guard iio_device_find_attr(handle, name) != nil else { return .missing }
        return .reading { iio_device_attr_read(handle, name, $0, $1) }
    }

    /// An attribute that some drivers have on the device and others on each of its channels.
    func anyAttribute(_ name: String, channel: String) -> IIOAttribute {
        if case .missing = attribute(name) { return self.channel(channel)?.attribute(name) ?? .missing }
        return attribute(name)
    }

    /// The same, to be written; nil where it is nowhere.
    func writableAttribute(_ name: String, channel: String) -> IIOWritableAttribute? {
        if iio_device_find_attr(handle, name) != nil { return .device(handle, name) }
        return self.channel(channel)?.writableAttribute(name)
    }
}

/// An attribute that can be written as well as read; valid while the context lives.
enum IIOWritableAttribute {
    case device(OpaquePointer, String)
    case channel(OpaquePointer, String)

    func read() -> IIOAttribute {
        switch self {
        case .device(let handle, let name): .reading { iio_device_attr_read(handle, name, $0, $1) }
        case .channel(let handle, let name): .reading { iio_channel_attr_read(handle, name, $0, $1) }
        }
    }

    /// Writes the text; false where the kernel does not take it.
    func write(_ text: String) -> Bool {
        switch self {
        case .device(let handle, let name): iio_device_attr_write(handle, name, text) >= 0
        case .channel(let handle, let name): iio_channel_attr_write(handle, name, text) >= 0
        }
    }
}

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
}

/// What became of asking for an attribute.
enum IIOAttribute {
    case missing
    case text(String)
    /// It is there and could not be read; an errno.
    case unreadable(Int32)

    /// The kernel's attributes are at most a page.
    private static let longest = 4096

    /// Reads through libiio's convention: bytes read, or a negative errno.
    static func reading(_ read: (UnsafeMutablePointer<CChar>, Int) -> Int) -> IIOAttribute {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: longest) { buffer in
            guard let base = buffer.baseAddress else { return .missing }
            let count = read(base, longest)
            if count < 0 { return .unreadable(Int32(truncatingIfNeeded: -count)) }
            let bytes = UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(buffer)[..<min(count, longest)])
            // libiio counts the terminating NUL, the kernel ends a line.
            let text = bytes.prefix { $0 != 0 }
            return .text(String(decoding: text, as: UTF8.self).trimmingLineEnd())
        }
    }
}

extension String {
    fileprivate func trimmingLineEnd() -> String {
        var rest = self[...]
        while rest.last?.isNewline == true { rest.removeLast() }
        return String(rest)
    }
}
