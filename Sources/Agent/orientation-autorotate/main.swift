// SPDX-License-Identifier: Apache-2.0

import Autorotate
import Glibc
import Posix
import Systemd

switch Options.parse(CommandLine.arguments) {
case .print(let text):
    do {
        try StandardOutput.write(text)
    } catch {
        log(.error).error("\(error)")
        exit(EXIT_FAILURE)
    }
case .refuse(let message):
    log(.error).error("\(message); see orientation-autorotate --help")
    exit(EX_USAGE)
case .run(let options):
    exit(serve(options))
}

/// Runs the agent and returns its exit status.
func serve(_ options: Options) -> Int32 {
    StandardDescriptors.reserve()
    let log = log(options.logLevel)
    do {
        return try options.listsOutputs ? OutputList(options, log: log).run() : Agent(options, log: log).run()
    } catch {
        let status = AgentExit.status(for: error)
        if status == AgentExit.rotatingDesktop { log.notice("\(error)") } else { log.critical("\(error)") }
        return status
    }
}

/// The log: the journal under systemd, otherwise standard error.
func log(_ level: Logger.Level) -> Logger { Logger(label: "orientation-autorotate", level: level) }
