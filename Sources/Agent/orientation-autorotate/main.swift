// SPDX-License-Identifier: Apache-2.0

import Autorotate
import Glibc
import Posix
import Systemd

exit(serve(Options.ofProcess(log: log)))

/// Runs the agent and returns its exit status.
func serve(_ options: Options) -> Int32 {
    StandardDescriptors.reserve()
    let log = log(options.logLevel)
    StandardDescriptors.requireOthers { log.critical("\($0)") }
    do {
        return try options.listsOutputs ? OutputList(options, log: log).run() : Agent(options, log: log).run()
    } catch {
        let status = AgentExit.status(for: error)
        if status == AgentExit.rotatingDesktop { log.notice("\(error)") } else { log.critical("\(error)") }
        return status
    }
}

/// The log: the journal under systemd, otherwise standard error.
func log(_ level: Logger.Level) -> Logger { Logger(label: Options.program, level: level) }
