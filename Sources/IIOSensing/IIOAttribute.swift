// SPDX-License-Identifier: Apache-2.0

internal import CIIO

/// What became of asking for an attribute.
enum IIOAttribute {
    case missing
    case text(String)
    /// It is there and could not be read; an errno.
    case unreadable(Int32)

    /// The kernel's attributes are at most a page.
    private static let page = 4096

    /// Reads through libiio's convention: bytes read, or a negative errno.
    static func reading(
        longest: Int = Self.page, _ read: (UnsafeMutablePointer<CChar>, Int) -> Int
    ) -> IIOAttribute {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: longest) { buffer in
            guard let base = buffer.baseAddress else { return .missing }
            let count = read(base, longest)
            if count < 0 { return .unreadable(Int32(truncatingIfNeeded: -count)) }
            let bytes = UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(buffer)[..<min(count, longest)])
            // libiio counts the terminating NUL, the kernel ends a line.
            var text = bytes.prefix { $0 != 0 }
            while text.last == UInt8(ascii: "\n") { text.removeLast() }
            return .text(String(decoding: text, as: UTF8.self))
        }
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

    /// Writes the text; 0 or a negative errno, where the kernel does not take it.
    func write(_ text: String) -> Int32 {
        let count =
            switch self {
            case .device(let handle, let name): iio_device_attr_write(handle, name, text)
            case .channel(let handle, let name): iio_channel_attr_write(handle, name, text)
            }
        return Int32(truncatingIfNeeded: min(count, 0))
    }
}
