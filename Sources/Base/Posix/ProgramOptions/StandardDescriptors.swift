// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The descriptors 0 to 2.
package enum StandardDescriptors {
    /// Opens `/dev/null` in place of those that are closed: otherwise a socket gets such a number, and messages for
    /// standard error are written to a peer. Opened for reading: writes fail as before.
    package static func reserve() {
        var descriptor: Int32
        repeat { descriptor = open("/dev/null", O_RDONLY) } while (0...STDERR_FILENO).contains(descriptor)
        if descriptor > STDERR_FILENO { close(descriptor) }
    }
}
