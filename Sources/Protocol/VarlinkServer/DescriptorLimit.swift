// SPDX-License-Identifier: Apache-2.0

internal import Glibc
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

    /// The number of descriptors besides those of connections.
    private static let others = reserved + closing + ConnectionLimiter.refusals

    /// Raises the process's limit for `limits`; returns lower limits if that fails.
    package static func fit(_ limits: Limits, log: Logger) -> Limits {
        var fitting = limits
        fitting.connections = min(limits.connections, makeRoom(for: limits.connections))
        if fitting.connections < limits.connections {
            log.warning(
                "limiting connections to \(fitting.connections) instead of \(limits.connections): RLIMIT_NOFILE is too low"
            )
        }
        return fitting
    }

    /// Raises the limit as far as possible; returns how many connections then fit.
    private static func makeRoom(for connections: Int) -> Int {
        let needed = rlim_t(connections + ConnectionLimiter.replacements(connections: connections) + others)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return connections }
        if limit.rlim_cur < needed {
            // Only root may raise the hard limit.
            var raised = rlimit(rlim_cur: needed, rlim_max: max(needed, limit.rlim_max))
            if setrlimit(resource, &raised) != 0 {
                raised = rlimit(rlim_cur: min(needed, limit.rlim_max), rlim_max: limit.rlim_max)
                setrlimit(resource, &raised)
            }
            getrlimit(resource, &limit)
        }
        guard limit.rlim_cur < needed else { return connections }
        // The inverse of the sum above.
        let left = Int(limit.rlim_cur) - others
        return max(left - ConnectionLimiter.maximumReplacements, left * 8 / 9, 1)
    }

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
