// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc

/// A timer on CLOCK_MONOTONIC that makes a descriptor readable: a timerfd.
package struct TimerDescriptor: ~Copyable, Sendable {
    private let owned: OwnedDescriptor

    /// Creates a stopped timer.
    package init() throws(Errno) {
        owned = try OwnedDescriptor(timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC)))
    }

    /// Readable after the timer has fired, until it is set again or cleared.
    package var descriptor: Int32 { owned.number }

    /// Starts the timer, in place of an earlier setting; 0 or less fires it immediately, nil stops it.
    package func set(after seconds: Double?) {
        var time = itimerspec()
        if let seconds {
            // 0 would stop the timer.
            let nanoseconds = Int(max(seconds * 1e9, 1))
            time.it_value = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
        }
        timerfd_settime(descriptor, 0, &time, nil)
    }

    /// Whether the timer runs. A timer that has fired does not.
    package var isRunning: Bool {
        var time = itimerspec()
        timerfd_gettime(descriptor, &time)
        return time.it_value.tv_sec != 0 || time.it_value.tv_nsec != 0
    }

    /// Ends the readability of a timer that has fired.
    package func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
