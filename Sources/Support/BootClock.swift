// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// CLOCK_BOOTTIME: monotonic, and counts suspended time.
package enum BootClock {
    /// Returns the seconds since boot.
    package static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
