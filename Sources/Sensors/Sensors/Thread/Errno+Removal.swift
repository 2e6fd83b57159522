// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import Posix

extension Errno {
    /// Whether the device was removed: its files and its node are missing, or are of no device any more.
    package var isRemoval: Bool { [ENODEV, ENOENT, ENXIO].contains(code) }

    /// Whether the process may not open a file: a retry cannot help.
    package var isDenial: Bool { code == EACCES || code == EPERM }
}
