// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationDaemon
import Posix
import Systemd

switch Options.parse(CommandLine.arguments) {
case .print(let text):
    do {
        try StandardOutput.write(text)
    } catch {
        DaemonLog.logger(level: .error).error("\(error)")
        exit(EXIT_FAILURE)
    }
case .refuse(let message):
    DaemonLog.logger(level: .error).error("\(message); see orientationd --help")
    exit(EX_USAGE)
case .run(let options):
    exit(serve(options))
}

/// Runs the daemon and returns its exit status.
func serve(_ options: Options) -> Int32 {
    StandardDescriptors.reserve()
    let log = DaemonLog.logger(level: options.logLevel)
    do {
        return try Daemon(options, log: log).run()
    } catch {
        log.critical("\(error)")
        return Daemon.exitStatus(for: error)
    }
}
