// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The error of a system call: a value of `errno`.
///
///     guard fsync(file.number) == 0 else { throw Errno.current }
package struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: Int32
    /// Replaces the text of the C library.
    private let reason: String?

    package init(_ code: Int32) { self.init(code, reason: nil) }

    private init(_ code: Int32, reason: String?) {
        self.code = code
        self.reason = reason
    }

    /// The error of the last failed call of this thread.
    package static var current: Errno { Errno(errno) }

    /// The file is a FIFO, a socket or a device: reading it could block.
    package static let notRegular = Errno(EINVAL, reason: "not a regular file")

    /// Whether there is no such file or value. Any other error leaves open whether there is one.
    package var isAbsence: Bool { code == ENOENT || code == ENODATA }

    /// Whether the device was removed: its files and its node are missing, or are of no device any more.
    package var isRemoval: Bool { [ENODEV, ENOENT, ENXIO].contains(code) }

    /// Whether the process may not open a file: a retry cannot help.
    package var isDenial: Bool { code == EACCES || code == EPERM }

    /// What to do about too few file descriptors.
    package static let descriptorRemedy = "raise the limit with 'ulimit -n', or LimitNOFILE= in the unit"

    /// The text of the error, for messages; of EMFILE with what to do.
    package var description: String {
        let text = reason ?? String(cString: strerror(code))
        return code == EMFILE ? "\(text); \(Self.descriptorRemedy)" : text
    }
}
