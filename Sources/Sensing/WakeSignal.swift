// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc

/// A flag that one thread raises and another can sleep on: an eventfd, owned here.
struct WakeSignal: ~Copyable {
    /// Readable while the flag is up.
    let descriptor: Int32

    init() throws(SensorFailure) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        if descriptor < 0 {
            throw .failed("cannot make an eventfd: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Raises the flag; it cannot fail, since one that is up stays up.
    func raise() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Takes the flag down.
    func lower() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }

    /// Sleeps until the flag is up, `other` can be read, or so many seconds have passed; nil waits for ever.
    func wait(or other: Int32?, seconds: Double?) {
        var watched = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        if let other { watched.append(pollfd(fd: other, events: Int16(POLLIN), revents: 0)) }
        // Rounded up, so that nobody wakes just before the time and sleeps again.
        let milliseconds = seconds.map { Int32(min(max($0 * 1_000, 0).rounded(.up), Self.longestWait)) } ?? -1
        // A signal wakes it early, which does no harm: whoever waits looks again.
        _ = poll(&watched, nfds_t(watched.count), milliseconds)
    }

    /// One wait is at most this long, in milliseconds: far within what poll can count.
    private static let longestWait = 3_600_000.0
}
