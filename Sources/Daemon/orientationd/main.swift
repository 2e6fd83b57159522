// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationDaemon
import Posix
import Systemd

exit(serve(Options.ofProcess(log: DaemonLog.logger)))

/// Runs the daemon and returns its exit status.
func serve(_ options: Options) -> Int32 {
    StandardDescriptors.reserve()
    let log = DaemonLog.logger(level: options.logLevel)
    StandardDescriptors.requireOthers { log.critical("\($0)") }
    do {
        return try Daemon(options, log: log).run()
    } catch {
        log.critical("\(error)")
        return Daemon.exitStatus(for: error)
    }
}
