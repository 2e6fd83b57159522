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
    static func reading(
        longest: Int = Self.page, _ read: (UnsafeMutablePointer<CChar>, Int) -> Int
    ) -> IIOAttribute {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: longest) { buffer in
            guard let base = buffer.baseAddress else { return .missing }
            let count = read(base, longest)
            if count < 0 { return .unreadable(Int32(truncatingIfNeeded: -count)) }
            let bytes = UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(buffer)[..<min(count, longest)])
            // libiio's count includes the terminating NUL; the kernel ends the text with a line feed.
            var text = bytes.prefix { $0 != 0 }
            while text.last == UInt8(ascii: "\n") { text.removeLast() }
            return .text(String(decoding: text, as: UTF8.self))
        }
    }
}

/// A readable and writable attribute of a device or a channel.
struct IIOWritableAttribute {
    fileprivate enum Owner {
        case device(OpaquePointer)
        case channel(OpaquePointer)
    }

    private let owner: Owner
    private let name: String
    /// Keeps the handle valid.
    private let context: IIOContext

    init(device: OpaquePointer, name: String, context: IIOContext) {
        owner = .device(device)
        self.name = name
        self.context = context
    }

    init(channel: OpaquePointer, name: String, context: IIOContext) {
        owner = .channel(channel)
        self.name = name
        self.context = context
    }

    func read() -> IIOAttribute {
        withExtendedLifetime(context) {
            switch owner {
            case .device(let handle): .reading { iio_device_attr_read(handle, name, $0, $1) }
            case .channel(let handle): .reading { iio_channel_attr_read(handle, name, $0, $1) }
            }
        }
    }

    /// Writes the text; returns 0, or a negative errno if the kernel rejects it.
    func write(_ text: String) -> Int32 {
        withExtendedLifetime(context) {
            let count =
                switch owner {
                case .device(let handle): iio_device_attr_write(handle, name, text)
                case .channel(let handle): iio_channel_attr_write(handle, name, text)
                }
            return Int32(truncatingIfNeeded: min(count, 0))
        }
    }
}

/// A sysfs attribute that stays open: a reading costs one system call, while libiio opens and closes the file each time.
final class RawFile {
    let name: String
    private let descriptor: Int32

    /// The longest text of a raw value, in bytes.
    private static let longest = 64

    /// Opens the attribute `name` of a local IIO device; returns nil and sets `errno` on failure.
    init?(device: String, name: String) {
        let descriptor = open("/sys/bus/iio/devices/\(device)/\(name)", O_RDONLY | O_CLOEXEC)
        // Return before the descriptor is stored: deinit would close it and overwrite errno.
        if descriptor < 0 { return nil }
        self.name = name
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Reads the current value.
    func read() -> IIOAttribute {
        .reading(longest: Self.longest) { buffer, capacity in
            let count = pread(descriptor, buffer, capacity, 0)
            return count < 0 ? -Int(errno) : count
        }
    }
}
