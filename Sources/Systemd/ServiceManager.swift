// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc

/// What the service manager and this daemon say to each other; every call does nothing where there is no systemd.
package enum ServiceManager {
    /// Where the service manager hands over descriptors (`SD_LISTEN_FDS_START`).
    private static let firstDescriptor: Int32 = 3

    /// The listening stream socket that systemd passed, or nil if it passed none.
    ///
    /// Call once: it takes the variables out of the environment, so that no child inherits them.
    package static func passedSocket() throws(SystemError) -> Int32? {
        let count = sd_listen_fds(1)
        try check(count, "take the sockets that systemd passed")
        if count == 0 { return nil }
        let descriptor = firstDescriptor
        guard count == 1, sd_is_socket(descriptor, AF_UNIX, Int32(SOCK_STREAM.rawValue), 1) > 0 else {
            throw SystemError(
                operation:
                    "use the \(count) descriptors that systemd passed: one listening Unix stream socket is expected",
                code: EINVAL)
        }
        return descriptor
    }

    /// The service is up.
    package static func ready() { notify("READY=1") }

    /// The service is going down.
    package static func stopping() { notify("STOPPING=1") }

    /// The service has begun to re-read what it is configured by; ``ready()`` ends this.
    package static func reloading() {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        notify("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1_000)")
    }

    private static func notify(_ message: String) {
        // A failure has no consequence that anybody here could act on.
        _ = sd_notify(0, message)
    }
}
