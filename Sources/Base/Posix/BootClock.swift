// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// CLOCK_BOOTTIME: monotonic, and counts suspended time.
package enum BootClock {
    /// Returns the seconds since boot.
    package static func now() -> Double { seconds(CLOCK_BOOTTIME) }
}

/// CLOCK_MONOTONIC: does not count suspended time, for timeouts.
package enum MonotonicClock {
    /// Returns the seconds since boot, without those in which the machine was suspended.
    package static func now() -> Double { seconds(CLOCK_MONOTONIC) }
}

/// The id of this boot, for files that must not be used after a restart of the machine.
package enum BootID {
    /// Returns the id without hyphens, as systemd writes it; nil if it is unknown. It comes from systemd where the unit sets
    /// it, because a sandboxed service may not read the kernel's file; otherwise from the kernel.
    package static func current() -> String? {
        if let given = Environment["ORIENTATIOND_BOOT_ID"] { return given }
        return SmallFile.line("/proc/sys/kernel/random/boot_id")?.filter { $0 != "-" }
    }
}

private func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
