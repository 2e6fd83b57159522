// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc

/// Tells one thread that a call of another has not come back in time, without waking anybody while all is well: a
/// timerfd, owned here.
struct HangTimer: ~Copyable {
    /// Readable once it has gone off.
    let descriptor: Int32

    init() throws(SensorFailure) {
        descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
        if descriptor < 0 {
            throw .failed("cannot make a timer: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Goes off in so many seconds from now instead of whenever it was set for; with 0 not at all.
    func set(seconds: Double) {
        var time = itimerspec()
        time.it_value.tv_sec = Int(seconds)
        time.it_value.tv_nsec = Int((seconds - seconds.rounded(.down)) * 1e9)
        _ = timerfd_settime(descriptor, 0, &time, nil)
    }

    /// Takes note, so that the descriptor is no longer readable.
    func acknowledge() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
