// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// What starts the daemon; each has commands of its own.
package enum InitSystem: Sendable {
    case systemd
    case openrc
    case runit
    /// Another one, or none, as in a container.
    case unknown

    /// The command that restarts the daemon, or starts it; nil if it is not known.
    package var restart: String? {
        switch self {
        case .systemd: Fix.restart
        case .openrc: "sudo rc-service orientationd restart"
        case .runit: "sudo sv restart orientationd"
        case .unknown: nil
        }
    }

    /// Returns the command of a fix for this machine; nil if it is one of systemd that has no equivalent.
    func command(_ fix: String) -> String? {
        if self == .systemd || !["systemctl ", "systemd-", "journalctl "].contains(where: fix.contains) { return fix }
        return fix == Fix.restart ? restart : fix == Fix.startAgent ? "orientation-autorotate" : nil
    }
}

/// The state of the systemd units.
package struct ServiceFacts: Hashable, Sendable {
    package var units: [Unit] = []
    /// The error on querying systemd; nil if it replied.
    package var failure: String?
    /// Whether iio-sensor-proxy runs as a unit.
    package var isProxyRunning = false

    package init() {}

    /// Parses the output of `systemctl show`: lines KEY=VALUE, an empty line between units.
    package init(systemctl output: String) {
        units = output.split(separator: "\n\n").map { Unit(lines: $0.split(separator: "\n")) }
    }

    /// Returns an installed unit; nil if it is not found.
    package func unit(_ name: String) -> Unit? {
        units.first { $0.name == name && $0[.load] != "not-found" }
    }

    package struct Unit: Hashable, Sendable {
        private let properties: [String: String]

        /// The queried properties.
        package enum Property: String, CaseIterable, Sendable {
            case id = "Id"
            case load = "LoadState"
            case active = "ActiveState"
            case sub = "SubState"
            case file = "UnitFileState"
            case result = "Result"
            case restarts = "NRestarts"
            case user = "User"
            case command = "ExecStart"
        }

        init(lines: [Substring]) {
            var properties: [String: String] = [:]
            for line in lines {
                let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if sides.count == 2 { properties[String(sides[0])] = String(sides[1]) }
            }
            self.properties = properties
        }

        package subscript(property: Property) -> String { properties[property.rawValue] ?? "" }

        var name: String { self[.id] }

        /// The command line, from `{ path=… ; argv[]=WORDS ; ignore_errors=… }`.
        var arguments: [String] {
            let parts = self[.command].split(separator: ";").map { $0.drop { $0 == " " || $0 == "{" } }
            guard let part = parts.first(where: { $0.hasPrefix("argv[]=") }) else { return [] }
            return part.dropFirst("argv[]=".count).split(separator: " ").map(String.init)
        }
    }
}

/// Recent log messages of the service.
package struct JournalFacts: Hashable, Sendable {
    /// Warnings and errors since boot, newest last.
    package var warnings: [String] = []
    /// The error on reading the journal; nil if it was read.
    package var failure: String?

    package init() {}
}

/// The replies of the daemon.
package struct DaemonFacts: Hashable, Sendable {
    /// The path of its socket.
    package var socket = ""
    /// Whether the socket exists.
    package var isSocketThere = false
    /// The error on calling it, as a message; nil if it replied.
    package var failure: String?
    /// Whether it accepted the connection and did not reply in time.
    package var isHanging = false
    /// Whether it runs, as far as its socket shows.
    var isRunning: Bool { failure == nil || isHanging }
    /// Its version; nil without a reply.
    package var version: String?
    /// The version of this tool.
    package var ownVersion = ""
    package var state: OrientationState?
    package var sensors: [SensorDescription] = []
    /// The light, proximity and compass sensors.
    package var ambientSensors: [AmbientSensor] = []
    /// Why the daemon cannot list these sensors, such as one that does not respond; nil if it lists them.
    package var ambientFailure: String?
    /// Whether it serves these sensors to desktops.
    package var servesDesktops = false
    /// The status; nil without permission.
    package var status: Status?
    /// Calls with an error reply, with the errors.
    package var unanswered: [String] = []

    /// An ambient sensor, as the daemon lists it.
    package struct AmbientSensor: Hashable, Sendable {
        package var id: String
        package var name: String
        package var kind: String
        package var isChosen: Bool
        /// How it is read, or why it is not used.
        package var why: String
        /// Why no sensor is used if the daemon serves no desktops.
        package static let unserved = "not used: the daemon runs without --dbus"

        /// The last failure, if the sensor has delivered no reading since.
        package var failure: String?

        package init(id: String, name: String, kind: String, isChosen: Bool, why: String, failure: String? = nil) {
            self.id = id
            self.name = name
            self.kind = kind
            self.isChosen = isChosen
            self.why = why
            self.failure = failure
        }
    }

    package init() {}

    /// The socket of the system service; any other belongs to a user.
    package static let systemSocket = "/run/orientationd/orientationd.sock"

    package var isSystems: Bool { socket == Self.systemSocket }

    package struct Status: Hashable, Sendable {
        /// The value of `--sensor`.
        package var source: String
        /// Recent failures, newest last.
        package var failures: [String]

        package init(source: String, failures: [String] = []) {
            self.source = source
            self.failures = failures
        }
    }
}

/// An event node with a tablet mode switch (SW_TABLET_MODE).
package struct TabletSwitchFacts: Hashable, Sendable {
    /// For example `event5`.
    package var node: String
    /// The device's own name.
    package var name: String
    /// Why the daemon does not read the node; nil if it does.
    package var rejection: String?

    package init(node: String, name: String, rejection: String? = nil) {
        self.node = node
        self.name = name
        self.rejection = rejection
    }
}

/// An input device that udev lists as an accelerometer.
package struct InputAccelerometerFacts: Hashable, Sendable {
    /// For example `event4`.
    package var node: String
    /// The device's own name.
    package var name: String
    /// udev's ACCEL_LOCATION; nil if it is not set.
    package var location: String?
    /// Why the daemon does not use the device; nil if it does.
    package var rejection: String?

    package init(node: String, name: String, location: String? = nil, rejection: String? = nil) {
        self.node = node
        self.name = name
        self.location = location
        self.rejection = location == "base" ? "located in the base, not in the display" : rejection
    }
}

/// Processes that use accelerometers.
package struct ProcessFacts: Hashable, Sendable {
    package var processes: [Process] = []
    /// Whether the open files of all processes were readable; needs root.
    package var isComplete = true

    package init() {}

    package struct Process: Hashable, Sendable {
        package var identifier: Int
        /// The name that the process set, at most 15 bytes. Any process can set any name: it is printed only.
        package var name: String
        /// The program's name, from its executable or its unit; nil if neither is trusted.
        package var program: String?
        /// Whether it runs in the system's unit of this program.
        package var isService: Bool
        /// The command line; kept for the daemon only.
        package var arguments: [String]
        /// The open IIO device nodes, without `/dev/`.
        package var nodes: Set<String>

        package init(
            identifier: Int, name: String, program: String?, isService: Bool = false, arguments: [String] = [],
            nodes: Set<String> = []
        ) {
            self.identifier = identifier
            self.name = name
            self.program = program
            self.isService = isService
            self.arguments = arguments
            self.nodes = nodes
        }

        /// The name in messages.
        var title: String {
            "\(program.map { "the program \($0)" } ?? "a process that calls itself '\(name)'") (process \(identifier))"
        }
    }

    /// The processes of a program, the system's service first.
    package func running(_ program: String) -> [Process] {
        let found = processes.filter { $0.program == program }
        return found.filter(\.isService) + found.filter { !$0.isService }
    }

    /// Returns the processes that have a device node open.
    func holders(of device: String) -> [Process] {
        processes.filter { $0.nodes.contains(device) }
    }
}
