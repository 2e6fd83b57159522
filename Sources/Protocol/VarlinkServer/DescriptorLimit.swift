// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Posix
package import Systemd
package import Varlink

/// The limit of open descriptors (`RLIMIT_NOFILE`); each connection takes one.
package enum DescriptorLimit {
    /// Descriptors reserved for the standard streams, the loop, its timers and the files of the sensors: a full
    /// table of connections must not prevent a sensor from being opened.
    static let reserved = 64
    /// The number of refused connections pending in ``SocketCloser`` above which no connection is accepted. 32: it
    /// closes 64 at a time, and only connections with passed descriptors are pending.
    static let closing = 32

    /// The number of descriptors besides connections.
    private static let others = reserved + closing + ConnectionLimiter.refusals

    /// Raises the process's limit for `limits`, at most to the hard limit; returns lower limits if that is too low.
    package static func fit(_ limits: Limits, log: Logger) -> Limits {
        let needed = rlim_t(limits.connections + others)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < needed else { return limits }
        limit.rlim_cur = min(needed, limit.rlim_max)
        setrlimit(resource, &limit)
        guard limit.rlim_cur < needed else { return limits }
        var fitting = limits
        fitting.connections = max(Int(limit.rlim_cur) - others, 1)
        log.warning(
            "limiting connections to \(fitting.connections) instead of \(limits.connections): the limit of open files is "
                + "\(limit.rlim_cur); \(Errno.descriptorRemedy)")
        return fitting
    }

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
