// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Posix

/// An attribute in the folder `events` of a device; libiio 0.x does not list them.
struct EventAttribute {
    private let path: String

    init(device: String, name: String) {
        path = "/sys/bus/iio/devices/\(device)/events/\(name)"
    }

    var isPresent: Bool { access(path, F_OK) == 0 }

    /// Returns the first word, empty if there is none.
    func read() throws(Errno) -> String {
        let bytes = try SmallFile.contents(path, atMost: Self.longest)
        return String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isWhitespace && $0 != "\0" })
    }

    /// Writes a text.
    func write(_ text: String) throws(Errno) {
        try OwnedDescriptor(opening: path, O_WRONLY | O_TRUNC).write(Array(text.utf8))
    }

    /// The longest text, in bytes.
    private static let longest = 64
}
