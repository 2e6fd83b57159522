// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc

/// A flag that one thread sets and another can wait for: an eventfd. Owns the descriptor.
struct WakeSignal: ~Copyable {
    /// Readable while the flag is set.
    let descriptor: Int32

    init() throws(SensorFailure) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        if descriptor < 0 {
            throw .failed("cannot create an eventfd: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Sets the flag. Cannot fail: a set flag stays set.
    func set() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Clears the flag.
    func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }

    /// Waits until the flag is set, one of `others` is readable, or the time in seconds has passed; nil waits without
    /// limit.
    func wait(or others: [Int32], seconds: Double?) {
        withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 1 + others.count) { polled in
            polled.initializeElement(at: 0, to: pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
            for (index, other) in others.enumerated() {
                polled.initializeElement(at: index + 1, to: pollfd(fd: other, events: Int16(POLLIN), revents: 0))
            }
            // A signal ends the wait early, which is harmless: the caller checks again.
            _ = poll(polled.baseAddress, nfds_t(polled.count), Self.milliseconds(seconds))
        }
    }

    /// The same with at most one other descriptor.
    @inline(__always) func wait(or other: Int32?, seconds: Double?) {
        var polled: [2 of pollfd] = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        var span = polled.mutableSpan
        _ = span.withUnsafeMutableBufferPointer {
            poll($0.baseAddress, other == nil ? 1 : 2, Self.milliseconds(seconds))
        }
    }

    /// Returns the timeout of poll(2), rounded up, so that the wait does not end just before the time.
    @inline(__always) private static func milliseconds(_ seconds: Double?) -> Int32 {
        guard let seconds else { return -1 }
        let wanted = min(max(seconds * 1_000, 0), longestWait)
        let whole = Int32(wanted)
        return Double(whole) < wanted ? whole + 1 : whole
    }

    /// The longest wait in milliseconds: within the range of poll(2).
    private static let longestWait = 3_600_000.0
}

/// A timer that notifies one thread when a call on another thread has timed out, without wake-ups while calls return: a
/// timerfd. Owns the descriptor.
struct HangTimer: ~Copyable {
    /// Readable after the timer has expired.
    let descriptor: Int32

    init() throws(SensorFailure) {
        descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
        if descriptor < 0 {
            throw .failed("cannot create a timer: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Sets the timer to expire in this many seconds, replacing an earlier setting; 0 stops it.
    func set(seconds: Double) {
        var time = itimerspec()
        time.it_value.tv_sec = Int(seconds)
        time.it_value.tv_nsec = Int((seconds - seconds.rounded(.down)) * 1e9)
        _ = timerfd_settime(descriptor, 0, &time, nil)
    }

    /// Clears the descriptor.
    func acknowledge() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
