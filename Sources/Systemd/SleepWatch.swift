// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc

/// Hears when the machine wakes up from sleep, without waking it up for that.
///
/// The kernel cancels a timer on the wall clock that asks for it whenever that clock jumps, and waking up makes it jump.
package final class SleepWatch {
    private let descriptor: Int32
    private var source: EventSource?
    private var slept: Double
    private let handler: @MainActor () -> Void

    /// Sleep that is shorter than this, in seconds, is none: the two clocks are not read at the same moment.
    private static let shortestSleep = 0.05

    /// Starts to listen on `loop`; `handler` runs once after each sleep.
    package init(on loop: EventLoop, handler: @escaping @MainActor () -> Void) throws(SystemError) {
        self.handler = handler
        slept = Self.timeAsleep()
        descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
        try check(descriptor < 0 ? -errno : 0, "watch for sleep")
        arm()
        source = try loop.watch(descriptor, for: .read) { [weak self] _ in self?.clockJumped() }
    }

    isolated deinit {
        source = nil
        close(descriptor)
    }

    private func clockJumped() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
        arm()
        // Somebody who sets the clock makes it jump too.
        let now = Self.timeAsleep()
        defer { slept = now }
        if now - slept > Self.shortestSleep { handler() }
    }

    private func arm() {
        var never = itimerspec()
        never.it_value.tv_sec = .max
        let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        _ = timerfd_settime(descriptor, flags, &never, nil)
    }

    /// Seconds since boot in which the machine slept.
    private static func timeAsleep() -> Double {
        func seconds(_ clock: clockid_t) -> Double {
            var time = timespec()
            clock_gettime(clock, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        return seconds(CLOCK_BOOTTIME) - seconds(CLOCK_MONOTONIC)
    }
}
