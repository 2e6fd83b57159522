// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc
package import Logging
package import OrientationModel
internal import OrientationWire
internal import Sensing
package import Varlink

/// The options of the daemon's command line.
package nonisolated struct Options: Sendable, Equatable {
    /// The sensor's URI.
    package var sensor = "auto"
    /// The path of the socket, unless systemd passes one; nil for the default.
    package var socket: String?
    /// The folder for state that survives a restart; nil for the default.
    package var stateDirectory: String?
    /// The classifier settings, unless udev's database has others for a device.
    package var classifier = ClassifierSettings.standard
    /// The natural orientation; nil: that of the sensor or of the panel.
    package var natural: Edge?
    /// The lowest level that is logged.
    package var logLevel = Logger.Level.info
    /// Whether the SensorProxy service runs.
    package var servesDesktops = false
    /// The limits for clients.
    package var limits = Self.standardLimits

    /// What to do with a command line.
    package enum Request: Equatable {
        case run(Options)
        /// Print this on standard output and exit with success.
        case print(String)
        /// Print this on standard error and exit with EX_USAGE.
        case refuse(String)
    }

    package init() {}

    /// Reads a command line; the first argument is the program's name.
    package static func parse(_ arguments: [String]) -> Request {
        withArgumentVector(arguments) { count, vector in
            var options = Options()
            cposix_getopt_restart()
            while true {
                // The colon disables getopt's own messages.
                var index: Int32 = 0
                let found = getopt_long(count, vector, "+:hV", longOptions, &index)
                switch found {
                case -1:
                    let rest = Int(cposix_optind())
                    guard rest < arguments.count else { return .run(options) }
                    return .refuse("unexpected argument '\(arguments[rest])'")
                case value("h"): return .print(help)
                case value("b"): options.servesDesktops = true
                case value("V"): return .print("orientationd \(Version.current)\n")
                case value(":"): return .refuse("\(lastArgument(arguments)): value missing")
                case value("?"): return .refuse("unknown option \(lastArgument(arguments))")
                default:
                    let text = cposix_optarg().map { String(cString: $0) } ?? ""
                    if text.isEmpty {
                        let name = String(cString: longOptions[Int(index)].name)
                        return .refuse("--\(name): invalid value '': must not be empty")
                    }
                    if let message = options.set(found, to: text) { return .refuse(message) }
                }
            }
        }
    }

    private mutating func set(_ option: Int32, to text: String) -> String? {
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
        case value("o"):
            do {
                natural = try Edge(naturalOrientation: text)
            } catch {
                return "--natural-orientation: \(error)"
            }
        case value("l"):
            guard let level = Logger.Level(rawValue: text) else {
                let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
                return "--log-level: invalid value '\(text)': must be \(known)"
            }
            logLevel = level
        case value("n"): return set(\.connections, to: text, option: "--connections")
        case value("u"): return set(\.connectionsPerUser, to: text, option: "--connections-per-user")
        default: return "unknown option"
        }
        return nil
    }

    /// The limits for clients, unless options set others. The longest valid call has fewer than 300 bytes and 20
    /// structural characters. With longer ones, the connections of a single user could delay other clients by seconds.
    static let standardLimits: Limits = {
        var limits = Limits()
        limits.messageBytes = 4096
        limits.structuralCharacters = 256
        return limits
    }()

    /// The valid limits of connections. Each connection takes a descriptor.
    static let connectionCounts = 1...65_536

    private mutating func set(_ limit: WritableKeyPath<Limits, Int>, to text: String, option: String) -> String? {
        guard let number = Int(text), Self.connectionCounts.contains(number) else {
            return "\(option): invalid value '\(text)': must be 1 to \(Self.connectionCounts.upperBound)"
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
    /// The path of the socket: the option, otherwise the system's for root, otherwise the user's.
    package nonisolated var socketPath: String? {
        if let socket { return socket }
        if geteuid() == 0 { return "/run/orientationd/orientationd.sock" }
        return environment("XDG_RUNTIME_DIR").map { $0 + "/orientationd.sock" }
    }

    /// The folder for state: the option, otherwise systemd's, otherwise the system's for root, otherwise the user's;
    /// nil if there is none.
    package nonisolated var stateFolder: String? {
        if let stateDirectory { return stateDirectory }
        // systemd separates several folders by colons.
        if let made = environment("STATE_DIRECTORY") { return made.split(separator: ":").first.map(String.init) }
        if geteuid() == 0 { return "/var/lib/orientationd" }
        return environment("XDG_STATE_HOME").map { $0 + "/orientationd" }
            ?? environment("HOME").map { $0 + "/.local/state/orientationd" }
    }

    /// The scenarios, in two lines of the help.
    private nonisolated static var scenarios: String {
        let names = Scenario.all.map(\.name)
        return names.prefix(6).joined(separator: ", ") + ",\n"
            + String(repeating: " ", count: 40) + names.dropFirst(6).joined(separator: ", ")
    }

    nonisolated static let help = """
        Usage: orientationd [OPTION]...
        Read an accelerometer and publish the device orientation to local apps.

          --sensor URI            the source of samples (default: auto)
                                    auto                      the best local accelerometer; waits until there is one
                                    iio:[NAME]                a local accelerometer, by name, id or label
                                    iio:ip:HOST[#NAME]        a remote one; also usb: and serial:
                                    replay:FILE[?speed=2&loop=1]  a recording; speed=max, - for standard input
                                    fake:[SCENARIO][?mount=MATRIX]  a simulated device; with mount, a rotated chip;
                                      with natural=landscapeLeft, a wide panel
                                      SCENARIO: \(scenarios)
                                  several, separated by commas: the first one found
          --socket PATH           the socket (default: /run/orientationd/orientationd.sock,
                                  or $XDG_RUNTIME_DIR/orientationd.sock when not root);
                                  ignored if systemd passes a socket
          --state-directory PATH  the directory of persistent state (default: $STATE_DIRECTORY, else /var/lib/orientationd,
                                  or ~/.local/state/orientationd when not root)
          --classifier NAME       standard, calm (vehicles, walking) or quick (games); settings may follow, as in
                                  calm,edgeMargin=20 (default: standard)
          --natural-orientation EDGE  the orientation of the device while the display is not rotated: portrait, or
                                  landscapeLeft for a panel that is wider than tall (default: from udev, the recording
                                  or the internal panel)
          --dbus                  also serve desktops, as net.hadess.SensorProxy on the system bus; conflicts with
                                  iio-sensor-proxy, which owns the same name
          --connections N         the limit of connections, 1 to 65536 (default: 4096)
          --connections-per-user N  the limit per user other than root (default: 256)
          --log-level LEVEL       trace, debug, info, notice, warning, error or critical (default: info)
          --version               print the version and exit
          --help                  print this and exit

        SIGHUP reopens the sensor. See orientationd(8) and orientationctl(1).

        """
}

/// Returns an environment variable; nil if it is unset or empty.
private nonisolated func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}

/// getopt_long's table. Each long option has a letter as its value, which is not itself an option but for h and V.
private nonisolated(unsafe) let longOptions: UnsafePointer<option> = {
    let rows: [(StaticString, Int32, Character)] = [
        ("sensor", required_argument, "s"), ("socket", required_argument, "S"),
        ("state-directory", required_argument, "d"), ("log-level", required_argument, "l"),
        ("classifier", required_argument, "c"), ("natural-orientation", required_argument, "o"),
        ("dbus", no_argument, "b"),
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

/// Calls `body` with the arguments as a C vector.
private nonisolated func withArgumentVector<Result>(
    _ arguments: [String], _ body: (Int32, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var vector: [UnsafeMutablePointer<CChar>?] = []
    for argument in arguments { vector.append(strdup(argument)) }
    vector.append(nil)
    defer { vector.forEach { free($0) } }
    return vector.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { preconditionFailure("the vector ends with nil") }
        return body(Int32(arguments.count), base)
    }
}
