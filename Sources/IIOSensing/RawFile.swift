// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A sysfs attribute that is kept open: a reading costs one system call, where libiio opens and closes the file.
final class RawFile {
    let name: String
    private let descriptor: Int32

    /// The kernel's attributes are at most a page, and a number is far shorter.
    private static let longest = 64

    /// Opens the attribute `name` of one of this machine's IIO devices; nil where it cannot be opened, and `errno` says
    /// why.
    init?(device: String, name: String) {
        let descriptor = open("/sys/bus/iio/devices/\(device)/\(name)", O_RDONLY | O_CLOEXEC)
        // Before anything is stored: closing what is not open would overwrite the reason.
        if descriptor < 0 { return nil }
        self.name = name
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// What the kernel says now.
    func read() -> IIOAttribute {
        .reading(longest: Self.longest) { buffer, capacity in
            let count = pread(descriptor, buffer, capacity, 0)
            return count < 0 ? -Int(errno) : count
        }
    }
}
