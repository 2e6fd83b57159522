// SPDX-License-Identifier: Apache-2.0

import OrientationClient
import OrientationModel
import OrientationWire
import Posix

/// The state of the systemd units.
struct ServiceFacts: Hashable {
    var units: [Unit] = []
    /// The error on querying systemd; nil if it replied.
    var failure: String?
    /// Whether iio-sensor-proxy runs as a unit.
    var isProxyRunning = false

    /// The units that are examined.
    static let names = ["orientationd.socket", "orientationd.service", "orientation-tablet-switch.service"]

    /// Returns an installed unit; nil if it is not found.
    func unit(_ name: String) -> Unit? {
        units.first { $0.name == name && $0[.load] != "not-found" }
    }

    /// Whether the package that makes the daemon serve desktops is installed.
    var isSensorProxyInstalled: Bool {
        unit("orientationd.service")?[.dropIns].contains("/10-sensorproxy.conf") == true
    }

    struct Unit: Hashable {
        private let properties: [String: String]

        enum Property: String, CaseIterable {
            case id = "Id"
            case load = "LoadState"
            case active = "ActiveState"
            case sub = "SubState"
            case file = "UnitFileState"
            case result = "Result"
            case restarts = "NRestarts"
            case user = "User"
            case command = "ExecStart"
            case dropIns = "DropInPaths"
            case socketMode = "SocketMode"
        }

        init(lines: [Substring]) {
            properties = Dictionary(lines.compactMap(\.assignment)) { $1 }
        }

        subscript(property: Property) -> String { properties[property.rawValue] ?? "" }

        var name: String { self[.id] }

        /// Whether a drop-in keeps users from the socket.
        var restrictsSocket: Bool { !["", "0666"].contains(self[.socketMode]) }

        /// The command line, from `{ path=… ; argv[]=WORDS ; ignore_errors=… }`.
        var arguments: [String] {
            let parts = self[.command].split(separator: ";").map { $0.drop { $0 == " " || $0 == "{" } }
            guard let part = parts.first(where: { $0.hasPrefix("argv[]=") }) else { return [] }
            return part.dropFirst("argv[]=".count).split(separator: " ").map(String.init)
        }
    }
}

extension ServiceFacts {
    /// Parses the output of `systemctl show`: lines KEY=VALUE, an empty line between units.
    init(systemctl output: String) {
        units = output.split(separator: "\n\n").map { Unit(lines: $0.split(separator: "\n")) }
    }
}

struct DaemonFacts {
    var socket = ""
    /// What is wrong with the path of the socket.
    var obstacle: SocketObstacle?
    /// The permissions of the system's socket; nil of another one, and without it.
    var socketAccess: FileAccess?
    /// The error on calling it; nil if it replied.
    var failure: OrientationServiceError?
    /// Whether it accepted the connection and did not reply in time.
    var isHanging: Bool { if case .timedOut = failure { true } else { false } }
    /// Whether it runs, as far as its socket shows.
    var isRunning: Bool { if case .limitReached = failure { true } else { failure == nil || isHanging } }
    /// Its version; nil without a reply.
    var version: String?
    var ownVersion = ""
    var state: OrientationState?
    var sensors: [SensorDescription] = []
    /// The ambient sensors and the hinge.
    var ambient = AmbientSensorListMessage([], isServed: false)
    /// Why the daemon cannot list these sensors, such as one that does not respond; nil if it lists them.
    var ambientFailure: String?
    /// The status; nil without permission.
    var status: Status?
    /// Calls with an error reply, with the errors.
    var unanswered: [String] = []
    /// The text of all replies, for a report.
    var replies: [(method: String, text: String)] = []

    /// Whether it is the system service; any other socket belongs to a user.
    var isSystems: Bool { socket == OrientationInterface.systemSocket }

    struct Status: Hashable {
        /// The value of `--sensor`.
        var source: String
        /// Recent failures, newest last.
        var failures: [String] = []
    }
}

/// Processes that use accelerometers.
struct ProcessFacts: Hashable {
    var processes: [Process] = []
    /// Whether the open files of all processes were readable; needs root.
    var isComplete = true

    struct Process: Hashable {
        var identifier: Int
        /// The name that the process set, at most 15 bytes. Any process can set any name: it is printed only.
        var name: String
        /// The program's name, from its executable or its unit; nil if neither is trusted.
        var program: String?
        /// Whether it runs in the system's unit of this program.
        var isService = false
        /// The command line; kept for the daemon only.
        var arguments: [String] = []
        /// The open IIO device nodes, without `/dev/`.
        var nodes: Set<String> = []

        var title: String {
            "\(program.map { "the program \($0)" } ?? "a process that calls itself '\(name)'") (process \(identifier))"
        }
    }

    /// The processes of a program, the system's service first.
    func running(_ program: String) -> [Process] {
        let found = processes.filter { $0.program == program }
        return found.filter(\.isService) + found.filter { !$0.isService }
    }

    /// Returns the processes that have a device node open.
    func holders(of device: String) -> [Process] {
        processes.filter { $0.nodes.contains(device) }
    }
}
