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

    /// The smallest limit of open files with which the programs start: libraries and the daemon's own files need some
    /// twenty, and fail with fewer in ways that hide the cause.
    private static let fewest: rlim_t = 24

    /// Reports a limit of open files (RLIMIT_NOFILE) that is too low, and exits with EX_OSERR.
    package static func requireOthers(report: (String) -> Void) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur < fewest else { return }
        report(
            "too few file descriptors: the limit is \(limit.rlim_cur), must be at least \(fewest); "
                + Errno.descriptorRemedy)
        exit(EX_OSERR)
    }
}
