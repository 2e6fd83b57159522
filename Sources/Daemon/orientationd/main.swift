// SPDX-License-Identifier: Apache-2.0

import CPosix
import Glibc
import OrientationDaemon
import Posix
import Systemd

exit(serve(Options.ofProcess(log: DaemonLog.logger)))

/// Runs the daemon and returns its exit status.
func serve(_ options: Options) -> Int32 {
    StandardDescriptors.reserve()
    // glibc would raise the threshold after the first large message, and keep megabytes of freed memory.
    mallopt(M_MMAP_THRESHOLD, 128 << 10)
    let log = DaemonLog.logger(level: options.logLevel)
    StandardDescriptors.requireOthers { log.critical("\($0)") }
    do {
        return try Daemon(options, log: log).run()
    } catch {
        log.critical("\(error)")
        return Daemon.exitStatus(for: error)
    }
}
