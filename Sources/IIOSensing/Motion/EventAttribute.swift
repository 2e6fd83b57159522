// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// An attribute in the folder `events` of a device; libiio 0.x does not list them.
struct EventAttribute {
    private let path: String

    init(device: String, name: String) {
        path = "/sys/bus/iio/devices/\(device)/events/\(name)"
    }

    var isPresent: Bool { access(path, F_OK) == 0 }

    /// Returns the text without white space at its end; nil if it cannot be read, with the reason in `errno`.
    func read() -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Self.longest)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        let code = errno
        close(descriptor)
        errno = code
        guard count > 0 else { return nil }
        let text = String(decoding: bytes[..<count], as: UTF8.self).prefix { !$0.isWhitespace && $0 != "\0" }
        return text.isEmpty ? nil : String(text)
    }

    /// Writes a text; returns 0 or an errno.
    func write(_ text: String) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        return Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count ? 0 : errno
    }

    /// The longest text, in bytes.
    private static let longest = 64
}
