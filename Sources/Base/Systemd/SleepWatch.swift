// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc
internal import Posix

/// Detects resume from suspend, without waking the machine.
///
/// The kernel cancels a timer on CLOCK_REALTIME with TFD_TIMER_CANCEL_ON_SET when that clock jumps, as it does on
/// resume.
package final class SleepWatch {
    private let timer: OwnedDescriptor
    private var source: EventSource?
    private var slept: Double
    private let handler: () -> Void

    /// The shortest suspend counted, in seconds: the two clocks are not read at the same time.
    private static let shortestSleep = 0.05

    /// Starts watching on `loop`; `handler` is called once after each resume.
    package init(on loop: EventLoop, handler: @escaping () -> Void) throws(SystemError) {
        self.handler = handler
        slept = Self.timeAsleep()
        do throws(Errno) {
            timer = try OwnedDescriptor(timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC)))
        } catch {
            throw SystemError(operation: "watch for resume from suspend", code: error.code)
        }
        arm()
        source = try loop.watch(timer.number, for: .read) { [weak self] _ in self?.clockJumped() }
    }

    deinit {
        // Before the timer is closed: the loop must not watch another file of the same number.
        source = nil
    }

    private func clockJumped() {
        var count: UInt64 = 0
        _ = read(timer.number, &count, MemoryLayout<UInt64>.size)
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
        _ = timerfd_settime(timer.number, flags, &never, nil)
    }

    /// Returns the suspended time since boot, in seconds.
    private static func timeAsleep() -> Double { BootClock.now() - MonotonicClock.now() }
}
