// SPDX-License-Identifier: Apache-2.0

internal import CIIO
internal import Glibc

/// The result of reading an attribute.
enum IIOAttribute {
    case missing
    case text(String)
    /// The attribute exists but could not be read; an errno.
    case unreadable(Int32)

    /// The longest attribute, in bytes: the kernel limits one to a page.
    private static let page = 4096

    /// Calls a read function that returns the number of bytes, or a negative errno.
    static func reading(_ read: (UnsafeMutablePointer<CChar>, Int) -> Int) -> IIOAttribute {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: page) { buffer in
            guard let base = buffer.baseAddress else { return .missing }
            let count = read(base, page)
            if count < 0 { return .unreadable(Int32(truncatingIfNeeded: -count)) }
            let bytes = UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(buffer)[..<min(count, page)])
            // libiio's count includes the terminating NUL; the kernel ends the text with a line feed.
            var text = bytes.prefix { $0 != 0 }
            while text.last == UInt8(ascii: "\n") { text.removeLast() }
            return .text(String(decoding: text, as: UTF8.self))
        }
    }
}

/// A readable and writable attribute of a device or a channel.
struct IIOWritableAttribute {
    enum Owner {
        case device
        case channel
    }

    private let owner: Owner
    private let name: String
    private let pointer: ContextPointer

    /// The attribute `name` of the device or the channel at `pointer`.
    init(of owner: Owner, _ pointer: ContextPointer, name: String) {
        self.owner = owner
        self.name = name
        self.pointer = pointer
    }

    func read() -> IIOAttribute {
        pointer.use { pointer in
            switch owner {
            case .device: .reading { iio_device_attr_read(pointer, name, $0, $1) }
            case .channel: .reading { iio_channel_attr_read(pointer, name, $0, $1) }
            }
        }
    }

    /// Writes the text; returns 0, or a negative errno if the kernel rejects it.
    func write(_ text: String) -> Int32 {
        pointer.use { pointer in
            let count =
                switch owner {
                case .device: iio_device_attr_write(pointer, name, text)
                case .channel: iio_channel_attr_write(pointer, name, text)
                }
            return Int32(truncatingIfNeeded: min(count, 0))
        }
    }
}
