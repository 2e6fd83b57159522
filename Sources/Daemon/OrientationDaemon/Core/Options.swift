// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import OrientationModel
internal import OrientationWire
package import Posix
package import Systemd
package import Varlink

/// The options of the daemon's command line.
package struct Options: Sendable, ProgramOptions {
    /// The sensor's URI.
    package var sensor = "auto"
    /// The path of the socket, unless systemd passes one; nil for the default.
    package var socket: String?
    /// The folder for state that survives a restart; nil for the default.
    package var stateDirectory: String?
    /// The classifier settings, unless udev's database has others for a device.
    package var classifier = ClassifierSettings.standard
    /// The natural orientation; nil: the sensor's or the panel's.
    package var natural: Edge?
    /// The lowest level that is logged.
    package var logLevel = Logger.Level.info
    /// Whether the SensorProxy service runs.
    package var servesDesktops = false
    /// The time without clients after which the daemon exits, in seconds; nil: it does not.
    package var idleExit: Double?
    /// The limits for clients.
    package var limits = Self.standardLimits

    package init() {}

    package static let program = "orientationd"
    package static let version = Version.current
    package static let parser = OptionParser([
        .value("sensor"), .value("socket"), .value("state-directory"), .value("log-level"), .value("classifier"),
        .value("natural-orientation"), .flag("dbus"), .value("idle-exit"), .value("connections"),
        .value("connections-per-user"),
    ])

    package mutating func set(_ option: String, to text: String) -> String? {
        switch option {
        case "sensor": sensor = text
        case "socket": socket = text
        case "state-directory": stateDirectory = text
        case "dbus": servesDesktops = true
        case "idle-exit":
            guard let seconds = Double(text), Self.idleTimes.contains(seconds) else {
                return "--idle-exit: invalid value '\(text)': must be 0.001 to 86400 seconds"
            }
            idleExit = seconds
        case "classifier":
            do {
                classifier = try ClassifierSettings(text)
            } catch {
                return "--classifier: \(error)"
            }
        case "natural-orientation":
            do {
                natural = try Edge(naturalOrientation: text)
            } catch {
                return "--natural-orientation: \(error)"
            }
        case "connections": return set(\.connections, to: text, option: "--connections")
        case "connections-per-user": return set(\.connectionsPerUser, to: text, option: "--connections-per-user")
        default: return "--\(option): unknown option"
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

    /// The valid times of ``idleExit``.
    static let idleTimes = 0.001...86_400

    /// The valid limits of connections. Each connection takes a descriptor.
    static let connectionCounts = 1...65_536

    private mutating func set(_ limit: WritableKeyPath<Limits, Int>, to text: String, option: String) -> String? {
        guard let number = Int(text), Self.connectionCounts.contains(number) else {
            return "\(option): invalid value '\(text)': must be 1 to \(Self.connectionCounts.upperBound)"
        }
        limits[keyPath: limit] = number
        return nil
    }
}

extension Options {
    /// The path of the socket: the option, otherwise the system's for root, otherwise the user's.
    package var socketPath: String? {
        if let socket { return socket }
        if geteuid() == 0 { return OrientationInterface.systemSocket }
        guard Environment.runtimeDirectoryFault == nil else { return nil }
        return Environment["XDG_RUNTIME_DIR"].map { $0 + "/orientationd.sock" }
    }

    /// The folder for state: the option, otherwise systemd's, otherwise the system's for root, otherwise the user's;
    /// nil if there is none.
    package var stateFolder: String? {
        if let stateDirectory { return stateDirectory }
        // systemd separates several folders by colons.
        if let made = Environment["STATE_DIRECTORY"] { return made.split(separator: ":").first.map(String.init) }
        if geteuid() == 0 { return "/var/lib/orientationd" }
        return Environment["XDG_STATE_HOME"].map { $0 + "/orientationd" }
            ?? Environment["HOME"].map { $0 + "/.local/state/orientationd" }
    }

    package static let help = """
        Usage: orientationd [OPTION]...
        Read an accelerometer and publish the device orientation to local apps.

          --sensor URI            the source of samples (default: auto)
                                    auto                      the best local accelerometer; waits until there is one
                                    iio:[NAME]                a local accelerometer, by name, id or label
                                    evdev:[NAME]              a local accelerometer that is an input device
                                    ssc:[NAME]                an accelerometer of a Snapdragon sensor core
                                    replay:FILE[?speed=2&loop=1]  a recording; speed=max, - for standard input
                                    fake:[OPTIONS]            a simulated device; options, separated by &:
                                      mount=MATRIX: a chip with this mount matrix; sense=hid: with the sign of HID
                                      sensors; natural=POSE: the natural orientation; sensors=LIST: its sensors,
                                      as in accelerometer+light+proximity+compass (default: all)
                                  several, separated by commas: the first one found
          --socket PATH           the socket (default: /run/orientationd/orientationd.sock,
                                  or $XDG_RUNTIME_DIR/orientationd.sock when not root);
                                  ignored if systemd passes a socket
          --state-directory PATH  the directory of persistent state (default: $STATE_DIRECTORY, else /var/lib/orientationd,
                                  or $XDG_STATE_HOME/orientationd, else ~/.local/state/orientationd, when not root)
          --classifier NAME       standard, calm (vehicles) or quick (games); settings may follow, as in
                                  calm,edgeMargin=20 (default: standard)
          --natural-orientation POSE  the orientation of the device while the display is not rotated: portrait, or
                                  landscapeLeft for a panel that is wider than tall (default: from udev, the recording
                                  or the internal panel)
          --dbus                  also serve desktops, as net.hadess.SensorProxy on the system bus; conflicts with
                                  iio-sensor-proxy, which owns the same name
          --idle-exit SECONDS     exit after this time without clients, 0.001 to 86400; ignored with --dbus, fake: or
                                  replay:, or if systemd does not pass the socket (default: never)
          --connections N         the limit of connections, 1 to 65536 (default: 256)
          --connections-per-user N  the limit per user other than root (default: 32)
          --log-level LEVEL       trace, debug, info, notice, warning, error or critical (default: info)
          --version, -V           print the version and exit
          --help, -h              print this and exit

        SIGHUP reopens the sensor. See orientationd(8) and orientationctl(1).

        """
}
