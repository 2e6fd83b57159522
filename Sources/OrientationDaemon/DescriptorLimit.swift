// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Logging
internal import Varlink

/// How many descriptors this process may have open (`RLIMIT_NOFILE`), of which each connection takes one.
nonisolated enum DescriptorLimit {
    /// What is not for connections: the standard streams, the loop and its timers, and a sensor with a file for each of
    /// its attributes. So a full house of clients never keeps the sensor from being opened.
    static let reserved = 64
    /// Refused connections that may wait to be closed by ``SocketCloser`` before no more are accepted. 32: it closes 64 at
    /// a time, and only connections with passed descriptors wait for it.
    static let closing = 32

    /// Raises the process's limit to what these limits need, and lowers these where that cannot be had.
    static func fit(_ limits: Limits, log: Logger) -> Limits {
        var fitting = limits
        fitting.connections = min(limits.connections, makeRoom(for: limits.connections))
        if fitting.connections < limits.connections {
            log.warning(
                "at most \(fitting.connections) clients instead of \(limits.connections): the limit for open files is too low"
            )
        }
        return fitting
    }

    /// Raises the limit, as far as it may be; how many connections have room then.
    private static func makeRoom(for connections: Int) -> Int {
        let needed = rlim_t(connections + reserved + closing)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return connections }
        if limit.rlim_cur < needed {
            // Beyond the hard limit only root may go.
            var raised = rlimit(rlim_cur: needed, rlim_max: max(needed, limit.rlim_max))
            if setrlimit(resource, &raised) != 0 {
                raised = rlimit(rlim_cur: min(needed, limit.rlim_max), rlim_max: limit.rlim_max)
                setrlimit(resource, &raised)
            }
            getrlimit(resource, &limit)
        }
        return max(Int(min(limit.rlim_cur, needed)) - reserved - closing, 1)
    }

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
