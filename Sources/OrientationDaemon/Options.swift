// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc
package import Logging
package import OrientationModel
internal import OrientationWire
internal import Sensing
package import Varlink

/// What the daemon was asked for on its command line.
package nonisolated struct Options: Sendable, Equatable {
    /// The sensor's URI.
    package var sensor = "auto"
    /// Where to listen, unless systemd passed a socket; nil for the usual place.
    package var socket: String?
    /// Where to keep what must survive a restart; nil for the usual place.
    package var stateDirectory: String?
    /// How the classifier is tuned, unless udev's database says otherwise for a device.
    package var classifier = ClassifierSettings.standard
    /// The least important messages that are logged.
    package var logLevel = Logger.Level.info
    /// Whether desktops are served over D-Bus as well.
    package var servesDesktops = false
    /// What clients can make the daemon hold.
    package var limits = Limits()

    /// What to do with a command line.
    package enum Request: Equatable {
        case run(Options)
        /// Print this on standard output and leave with success.
        case print(String)
        /// Print this on standard error and leave as after wrong use.
        case refuse(String)
    }

    package init() {}

    /// Reads a command line; the first argument is the program's name.
    package static func parse(_ arguments: [String]) -> Request {
        withArgumentVector(arguments) { count, vector in
            var options = Options()
            cposix_getopt_restart()
            while true {
                // The colon turns getopt's own messages off: ours are clearer.
                let found = getopt_long(count, vector, "+:hV", longOptions, nil)
                switch found {
                case -1:
                    let rest = Int(cposix_optind())
                    guard rest < arguments.count else { return .run(options) }
                    return .refuse("'\(arguments[rest])' is one argument too many")
                case value("h"): return .print(help)
                case value("b"): options.servesDesktops = true
                case value("V"): return .print("orientationd \(Version.current)\n")
                case value(":"): return .refuse("\(lastArgument(arguments)) needs a value")
                case value("?"): return .refuse("there is no option \(lastArgument(arguments))")
                default:
                    let text = cposix_optarg().map { String(cString: $0) } ?? ""
                    if let complaint = options.set(found, to: text) { return .refuse(complaint) }
                }
            }
        }
    }

    private mutating func set(_ option: Int32, to text: String) -> String? {
        if text.isEmpty { return "an option's value is empty" }
        switch option {
        case value("s"): sensor = text
        case value("S"): socket = text
        case value("d"): stateDirectory = text
        case value("c"):
            do {
                classifier = try ClassifierSettings(text)
            } catch {
                return "\(error)"
            }
        case value("l"):
            guard let level = Logger.Level(rawValue: text) else {
                let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
                return "'\(text)' is no log level; there are \(known)"
            }
            logLevel = level
        case value("n"): return set(\.connections, to: text)
        case value("u"): return set(\.connectionsPerUser, to: text)
        default: return "this option is not understood"
        }
        return nil
    }

    /// How many connections may be allowed. Each takes a descriptor; no small service needs as many.
    static let connectionCounts = 1...65_536

    private mutating func set(_ limit: WritableKeyPath<Limits, Int>, to text: String) -> String? {
        guard let number = Int(text), Self.connectionCounts.contains(number) else {
            return "'\(text)' is no number of connections: it goes from 1 to \(Self.connectionCounts.upperBound)"
        }
        limits[keyPath: limit] = number
        return nil
    }

    private static func lastArgument(_ arguments: [String]) -> String {
        let index = Int(cposix_optind()) - 1
        return arguments.indices.contains(index) ? arguments[index] : "an option"
    }
}

extension Options {
    /// The socket's path: the one given, else the system's for root, else the user's own.
    package nonisolated var socketPath: String? {
        if let socket { return socket }
        if geteuid() == 0 { return "/run/orientationd/orientationd.sock" }
        return environment("XDG_RUNTIME_DIR").map { $0 + "/orientationd.sock" }
    }

    /// The folder for what must survive a restart: the one given, else the one that systemd made, else the system's for
    /// root, else the user's own; nil where there is none.
    package nonisolated var stateFolder: String? {
        if let stateDirectory { return stateDirectory }
        // systemd lists several, separated by colons, where a unit has them.
        if let made = environment("STATE_DIRECTORY") { return made.split(separator: ":").first.map(String.init) }
        if geteuid() == 0 { return "/var/lib/orientationd" }
        return environment("XDG_STATE_HOME").map { $0 + "/orientationd" }
            ?? environment("HOME").map { $0 + "/.local/state/orientationd" }
    }

    /// In two rows of the help.
    private nonisolated static var scenarios: String {
        let names = Scenario.all.map(\.name)
        return names.prefix(6).joined(separator: ", ") + ",\n"
            + String(repeating: " ", count: 40) + names.dropFirst(6).joined(separator: ", ")
    }

    nonisolated static let help = """
        Usage: orientationd [OPTION]...
        Reads an accelerometer, knows which way the device is held, and tells every local app.

          --sensor URI            where samples come from (default: auto)
                                    auto                      the best accelerometer of this machine; waits for one
                                    iio:[NAME]                one of this machine's, by name, id or label
                                    iio:ip:HOST[#NAME]        one on the network; also usb: and serial:
                                    replay:FILE[?speed=2&loop=1]  a recording; speed=max, - for standard input
                                    fake:[SCENARIO][?mount=MATRIX]  a simulated device, or a chip mounted so in it
                                      SCENARIO: \(scenarios)
                                  several, separated by commas: the first that exists
          --socket PATH           where to listen (default: /run/orientationd/orientationd.sock,
                                  or $XDG_RUNTIME_DIR/orientationd.sock when not root);
                                  a socket that systemd passes comes first
          --state-directory PATH  what must survive a restart (default: $STATE_DIRECTORY, else /var/lib/orientationd,
                                  or ~/.local/state/orientationd when not root)
          --classifier NAME       standard, calm (vehicles, walking) or quick (games); changes may follow, as in
                                  calm,edgeMargin=20 (default: standard)
          --dbus                  serve desktops as well, as net.hadess.SensorProxy on the system bus; not beside
                                  iio-sensor-proxy, which has that name
          --connections N         how many clients may be connected at a time, 1 to 65536 (default: 4096)
          --connections-per-user N  how many of them may be of one user other than root (default: 256)
          --log-level LEVEL       trace, debug, info, notice, warning, error or critical (default: info)
          --version               print the version and exit
          --help                  print this and exit

        SIGHUP opens the sensor anew. See orientationd(8) and orientationctl(1).

        """
}

/// A variable of the environment; one that is empty is taken for one that is not set.
private nonisolated func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}

/// getopt_long's table. Each long option has a letter as its value, which is not itself an option but for h and V.
private nonisolated(unsafe) let longOptions: UnsafePointer<option> = {
    let rows: [(StaticString, Int32, Character)] = [
        ("sensor", required_argument, "s"), ("socket", required_argument, "S"),
        ("state-directory", required_argument, "d"), ("log-level", required_argument, "l"),
        ("classifier", required_argument, "c"), ("dbus", no_argument, "b"),
        ("connections", required_argument, "n"), ("connections-per-user", required_argument, "u"),
        ("version", no_argument, "V"), ("help", no_argument, "h"),
    ]
    let table = UnsafeMutablePointer<option>.allocate(capacity: rows.count + 1)
    for (index, row) in rows.enumerated() {
        let name = UnsafeRawPointer(row.0.utf8Start).assumingMemoryBound(to: CChar.self)
        (table + index).initialize(to: option(name: name, has_arg: row.1, flag: nil, val: value(row.2)))
    }
    (table + rows.count).initialize(to: option())
    return UnsafePointer(table)
}()

private nonisolated func value(_ letter: Character) -> Int32 {
    Int32(letter.asciiValue ?? 0)
}

/// Lends arguments in the form that C wants them.
private nonisolated func withArgumentVector<Result>(
    _ arguments: [String], _ body: (Int32, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var vector: [UnsafeMutablePointer<CChar>?] = []
    for argument in arguments { vector.append(strdup(argument)) }
    vector.append(nil)
    defer { vector.forEach { free($0) } }
    return vector.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { preconditionFailure("the vector has its closing nil") }
        return body(Int32(arguments.count), base)
    }
}
