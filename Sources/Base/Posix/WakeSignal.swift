// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc

/// A flag that one thread sets and another can wait for: an eventfd.
package struct WakeSignal: ~Copyable, Sendable {
    private let owned: OwnedDescriptor

    package init() throws(Errno) {
        owned = try OwnedDescriptor(eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)))
    }

    /// Readable while the flag is set.
    package var descriptor: Int32 { owned.number }

    /// Sets the flag. Cannot fail: a set flag stays set.
    package func set() { Self.set(descriptor) }

    /// Sets the flag of a descriptor. Async-signal-safe.
    package static func set(_ descriptor: Int32) {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Clears the flag; returns whether it was set.
    @discardableResult package func clear() -> Bool {
        var count: UInt64 = 0
        return read(descriptor, &count, MemoryLayout<UInt64>.size) > 0
    }

    /// Waits until the flag is set, one of `others` is readable, or the time in seconds has passed; nil waits without
    /// limit. Returns whether a descriptor is readable. A signal ends the wait early.
    @discardableResult package func wait(or others: [Int32] = [], seconds: Double?) -> Bool {
        var polled = ([descriptor] + others).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        return poll(&polled, nfds_t(polled.count), Self.milliseconds(seconds)) > 0
    }

    /// Returns the timeout of poll(2), rounded up: the wait must not end just before the time.
    private static func milliseconds(_ seconds: Double?) -> Int32 {
        seconds.map { Int32(min(max($0 * 1_000, 0), longestWait).rounded(.up)) } ?? -1
    }

    /// The longest wait in milliseconds: within the range of poll(2).
    private static let longestWait = 3_600_000.0
}
