// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationClient

/// Which daemon is asked. Taken before and after the subcommand; what stands after it wins.
struct ServiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The daemon's socket.",
            discussion: """
                Without it: the environment's ORIENTATIOND_SOCKET, else the system's socket if it is there, else the \
                user's own in $XDG_RUNTIME_DIR.
                """,
            valueName: "path"),
        completion: .file())
    var socket: String?
}

/// Which machine is looked at: this one, or for tests a tree of files that stands for one.
struct MachineOptions: ParsableArguments {
    @Option(help: .hidden)
    var sysroot = ""

    var system: SystemRoot { SystemRoot(prefix: sysroot) }
}

/// A subcommand that asks the daemon.
protocol AsksDaemon: AsyncParsableCommand {
    var root: OrientationCtl { get }
    var service: ServiceOptions { get }
}

extension AsksDaemon {
    var socketPath: String? { service.socket ?? root.service.socket }

    var daemon: OrientationService { OrientationService(socketPath: socketPath) }
}
