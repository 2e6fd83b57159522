// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationClientCore
import OrientationWire
import Posix
import Systemd

/// The options of the command line.
struct Options: ProgramOptions {
    static let program = "orientation-tablet-switch"
    static let version = Version.current
    static let parser = OptionParser([.value("socket")])
    static let help = """
        Usage: orientation-tablet-switch [OPTION]...
        Provide a tablet switch that follows the lid angle, on laptops whose kernel has none.

          --socket PATH           socket of orientationd (default: $ORIENTATIOND_SOCKET, else the system's if it
                                  exists, else the user's)
          --version, -V           print the version and exit
          --help, -h              print the options and exit

        See orientation-tablet-switch(8).

        """

    /// The path of the daemon's socket; nil for the default.
    var socket: String?
    var logLevel = Logger.Level.info

    mutating func set(_ option: String, to text: String) -> String? {
        socket = text
        return nil
    }
}

let options = Options.ofProcess { Logger(label: Options.program, level: $0) }
let log = Logger(label: Options.program, level: options.logLevel)
StandardDescriptors.reserve()
StandardDescriptors.requireOthers { log.critical("\($0)") }
do {
    exit(try TabletSwitchService(socketPath: options.socket, log: log).run())
} catch {
    log.critical("\(error)")
    if case OrientationServiceError.unusablePath = error { exit(EX_USAGE) }
    exit(EXIT_FAILURE)
}
