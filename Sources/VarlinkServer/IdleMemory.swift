// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Support
package import Systemd

/// Releases memory of a program that is idle most of the time.
///
/// ``delay`` seconds after the last event, or later, it returns freed memory and the unused part of the stack to the system, and
/// unmaps the pages of code and constants, which the next access maps again from the page cache. After many clients have disconnected, freed memory is returned even if
/// events continue: glibc keeps memory that was freed below a used block. 260 MB were measured after 4096 connections had
/// sent 64 KiB each.
///
/// A release costs as much as dozens of events. If the next event follows soon, the next release waits for longer: events
/// once a second, such as those of a light sensor, would otherwise cause one release each. While events continue, the
/// delay doubles, up to 4 times the shortest one: each expiry is a wake-up that releases nothing.
package final class IdleMemory {
    /// What is released.
    package enum Part: Hashable, Sendable {
        /// Freed heap memory, and the unused part of the stack. Trimming walks the whole heap.
        case freed
        /// Pages of code and constants.
        case code
    }

    /// The time without events, in seconds: longer than the pauses between the calls of a client.
    package static let delay = 1.0
    /// The number of closed connections that justifies trimming while events continue. 64: with full queues these held
    /// 16 MB.
    static let connections = 64

    private var delay: ReleaseDelay
    private let release: (Part) -> Void
    private var timer: EventSource?
    private var isArmed = false
    private var isUsed = false
    /// Whether ``connections`` clients have disconnected since the last trimming.
    private var hasFreed = false
    /// The maximum number of connections since the last release.
    private var most = 0

    /// Watches on `loop`; `release` releases a part.
    package init(
        loop: EventLoop, delay: Double = IdleMemory.delay, release: @escaping (Part) -> Void = IdleMemory.release
    ) throws(SystemError) {
        self.delay = ReleaseDelay(shortest: delay)
        self.release = release
        timer = try loop.timer { [unowned self] in timerFired() }
    }

    /// Notes an event. Sets the timer at most once per ``delay``.
    package func noteUse() {
        isUsed = true
        guard !isArmed else { return }
        delay.noteUse(at: BootClock.now())
        arm()
    }

    /// Notes a closed connection; `remaining` are open.
    func noteDisconnection(remaining: Int) {
        most = max(most, remaining + 1)
        guard most - remaining >= Self.connections else { return }
        most = remaining
        // The timer runs already: further disconnections do not delay it.
        guard !hasFreed else { return }
        hasFreed = true
        // Many connections held much memory.
        delay.reset()
        arm()
    }

    private func timerFired() {
        isArmed = false
        if hasFreed || !isUsed { release(.freed) }
        hasFreed = false
        if isUsed {
            delay.noteContinuedUse()
            return arm()
        }
        release(.code)
        delay.noteRelease(at: BootClock.now())
    }

    private func arm() {
        isUsed = false
        isArmed = true
        timer?.fire(after: delay.seconds)
    }

    package static func release(_ part: Part) {
        switch part {
        case .freed:
            cposix_release_stack_pages()
            malloc_trim(0)
        case .code: cposix_release_code_pages()
        }
    }
}

/// The time without events before a release: longer if events followed soon after the last one. Times are in seconds.
struct ReleaseDelay {
    /// A release is worth its cost if no event follows for this many delays; otherwise the delay is doubled.
    static let shortestPause = 10.0
    /// The largest multiple of the shortest delay.
    static let longest = 32.0
    /// The largest multiple of the shortest delay that events without a pause cause, until the next release.
    static let longestInUse = 4.0

    private let shortest: Double
    /// The delay after the last release.
    private var base: Double
    /// The minimum delay while events continue; 0 after a release.
    private var inUse = 0.0
    /// The time of the last release; nil before the first one.
    private var released: Double?

    init(shortest: Double) {
        self.shortest = shortest
        base = shortest
    }

    /// The current delay.
    var seconds: Double { max(base, inUse) }

    /// Notes the first event after a release.
    mutating func noteUse(at now: Double) {
        guard let released else { return }
        base = now - released < base * Self.shortestPause ? min(base * 2, shortest * Self.longest) : shortest
    }

    /// Notes that events followed within the delay, so that nothing was released.
    mutating func noteContinuedUse() { inUse = min(seconds * 2, shortest * Self.longestInUse) }

    mutating func noteRelease(at now: Double) {
        released = now
        inUse = 0
    }

    mutating func reset() {
        base = shortest
        inUse = 0
    }
}
