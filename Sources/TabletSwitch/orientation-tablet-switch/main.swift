// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationWire
import Posix
import Systemd

let help = """
    Usage: orientation-tablet-switch [OPTION]...
    Provide a tablet switch that follows the lid angle, on laptops whose kernel has none.

      --socket PATH           socket of orientationd
      --version, -V           print the version and exit
      --help, -h              print the options and exit

    See orientation-tablet-switch(8).

    """

let log = Logger(label: "orientation-tablet-switch", level: .info)

switch OptionParser([.value("socket")]).parse(CommandLine.arguments) {
case .help: exit(write(help))
case .version: exit(write("orientation-tablet-switch \(Version.current)\n"))
case .refuse(let message):
    log.error("\(message); see orientation-tablet-switch --help")
    exit(EX_USAGE)
case .options(let options):
    StandardDescriptors.reserve()
    do {
        exit(try TabletSwitchService(socketPath: options.last?.value, log: log).run())
    } catch {
        log.critical("\(error)")
        exit(EX_UNAVAILABLE)
    }
}

/// Writes to standard output; returns the exit status.
func write(_ text: String) -> Int32 {
    do {
        try StandardOutput.write(text)
        return EXIT_SUCCESS
    } catch {
        log.error("\(error)")
        return EXIT_FAILURE
    }
}
