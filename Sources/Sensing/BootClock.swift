// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// CLOCK_BOOTTIME: it never jumps, and goes on while the machine sleeps.
package enum BootClock {
    /// Seconds since boot.
    package static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
