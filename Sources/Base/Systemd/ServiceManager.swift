// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc

/// Communication with the service manager; without systemd every call has no effect.
package enum ServiceManager {
    /// The first passed descriptor (`SD_LISTEN_FDS_START`).
    private static let firstDescriptor: Int32 = 3

    /// Returns the listening stream socket passed by systemd; nil without one.
    ///
    /// Call once: removes the variables from the environment, because child processes inherit them.
    package static func passedSocket() throws(SystemError) -> Int32? {
        let count = sd_listen_fds(1)
        try check(count, "read the sockets that systemd passed")
        if count == 0 { return nil }
        let descriptor = firstDescriptor
        guard count == 1, sd_is_socket(descriptor, AF_UNIX, Int32(SOCK_STREAM.rawValue), 1) > 0 else {
            throw SystemError(
                operation:
                    "use the \(count) descriptors that systemd passed: must be one listening Unix stream socket",
                code: EINVAL)
        }
        return descriptor
    }

    package static func ready() { notify("READY=1") }

    /// Reports that the service stops.
    package static func stopping() { notify("STOPPING=1") }

    /// Reports a configuration reload; ``ready()`` ends it.
    package static func reloading() {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        notify("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1_000)")
    }

    private static func notify(_ message: String) {
        // Errors are ignored: the caller could not act on them.
        _ = sd_notify(0, message)
    }
}

/// User sessions of systemd-logind.
package enum LoginSessions {
    /// Returns whether the user has the active session on seat0, which has the built-in devices: udev assigns sensors to no
    /// other seat. False without logind.
    package static func isActive(user: UInt32) -> Bool {
        sd_uid_is_on_seat(user, 1, "seat0") > 0
    }
}

/// Watches whether users have sessions of systemd-logind, and whether those are active.
package final class LoginWatch {
    private var monitor: OpaquePointer?
    private var source: EventSource?

    /// Starts watching on `loop`; `handler` is called after each change. Fails without logind.
    package init(on loop: EventLoop, handler: @escaping () -> Void) throws(SystemError) {
        try check(sd_login_monitor_new("uid", &monitor), "watch the sessions of logind")
        source = try loop.watch(sd_login_monitor_get_fd(monitor), for: .read) { [monitor] _ in
            sd_login_monitor_flush(monitor)
            handler()
        }
    }

    deinit {
        // Before the monitor closes its descriptor.
        source = nil
        sd_login_monitor_unref(monitor)
    }
}

/// A unique name for a run of the daemon.
package enum InstanceName {
    /// Returns a new name: 32 hexadecimal digits.
    package static func make() throws(SystemError) -> String {
        var id = sd_id128_t()
        try check(sd_id128_randomize(&id), "create a random name")
        return withUnsafeBytes(of: &id) { bytes in
            bytes.map { byte in
                let digits = String(byte, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
        }
    }
}
