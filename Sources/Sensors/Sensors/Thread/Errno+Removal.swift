// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Posix

extension Errno {
    /// Whether the device was removed: its files and its node are missing, or are of no device any more.
    var isRemoval: Bool { [ENODEV, ENOENT, ENXIO].contains(code) }
}
