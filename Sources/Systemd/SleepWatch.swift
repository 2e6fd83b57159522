// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc

/// Detects resume from suspend, without waking the machine.
///
/// The kernel cancels a timer on CLOCK_REALTIME with TFD_TIMER_CANCEL_ON_SET when that clock jumps, as it does on
/// resume.
package final class SleepWatch {
    private let descriptor: Int32
    private var source: EventSource?
    private var slept: Double
    private let handler: () -> Void

    /// The shortest suspend counted, in seconds: the two clocks are not read at the same time.
    private static let shortestSleep = 0.05

    /// Starts watching on `loop`; `handler` is called once after each resume.
    package init(on loop: EventLoop, handler: @escaping () -> Void) throws(SystemError) {
        self.handler = handler
        slept = Self.timeAsleep()
        descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
        try check(descriptor < 0 ? -errno : 0, "watch for resume from suspend")
        arm()
        source = try loop.watch(descriptor, for: .read) { [weak self] _ in self?.clockJumped() }
    }

    deinit {
        source = nil
        close(descriptor)
    }

    private func clockJumped() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
        arm()
        // Setting the clock cancels the timer too.
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

    /// Returns the suspended time since boot, in seconds.
    private static func timeAsleep() -> Double {
        func seconds(_ clock: clockid_t) -> Double {
            var time = timespec()
            clock_gettime(clock, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        return seconds(CLOCK_BOOTTIME) - seconds(CLOCK_MONOTONIC)
    }
}
