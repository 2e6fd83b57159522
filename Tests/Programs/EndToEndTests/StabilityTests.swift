// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestServer
import TestSupport
import Testing

/// What `docs/stability.md` promises of the programs: a failure here is a change to announce, not a test to correct.
@Suite(.serialized) struct StabilityTests {
    /// By command: the members that its JSON object, or the first object of its list, has at least.
    static let members: [(command: [String], members: [String])] = [
        (
            ["status", "--json"],
            [
                "disturbance", "instance", "lastEdge", "locked", "natural", "orientation", "panelEdge", "rotation",
                "sensor", "sequence", "tilt", "timestamp",
            ]
        ),
        (
            ["watch", "--json", "--count", "1"],
            ["locked", "natural", "orientation", "panelEdge", "rotation", "sensor", "sequence"]
        ),
        (
            ["sensors", "--json"],
            ["chosen", "id", "location", "matrix", "matrixSource", "name", "natural", "warnings", "why"]
        ),
        (
            ["daemon", "--json"],
            [
                "changes", "connections", "dropped", "failures", "instance", "logLevel", "samples", "sensor", "source",
                "subscribers", "uptime", "version",
            ]
        ),
        (["lock", "--json", "top"], ["locked", "lockedTo", "panelEdge"]),
        (["unlock", "--json"], ["locked"]),
        (["doctor", "--json"], ["findings", "notes", "problems"]),
        (["record", "--json", "--duration", "0.2", "RECORDING"], ["file", "natural", "rate", "samples", "seconds"]),
        (
            ["classify", "--json", "RECORDING"],
            ["disturbance", "lastEdge", "natural", "orientation", "rotation", "t", "tilt"]
        ),
        (["sensors", "--ambient", "--json"], ["sensors", "served"]),
    ]

    @Test func `the members of JSON stay`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        // The sensor stops without a subscriber.
        var subscriber = try RawClient(to: daemon.socket)
        try subscriber.send(#"{"method":"org.orientationd.Orientation.Monitor","more":true}|"#)
        while try #require(try subscriber.message()).contains(#""orientation":"portrait""#) == false {}
        for (command, members) in Self.members {
            let words = command.map { $0 == "RECORDING" ? daemon.folder.path + "/poses.rec" : $0 }
            let environment = ["ORIENTATIOND_SOCKET": daemon.socket]
            let text = try RunningProgram.run(Programs.tool, words, environment: environment).output.joined()
            let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
            let list = json as? [[String: Any]]
            let object = try #require(list?.first ?? json as? [String: Any], "\(command): \(text)")
            #expect(Set(members).subtracting(object.keys).isEmpty, "\(command): \(text)")
            if let findings = object["findings"] as? [[String: Any]] {
                let found = findings.reduce(into: Set<String>()) { $0.formUnion($1.keys) }
                #expect(found.isSuperset(of: ["check", "detail", "level", "summary"]), "\(found)")
            }
        }
    }

    @Test(arguments: [
        (Programs.tool, ["--no-such-option"], EX_USAGE), (Programs.tool, ["status"], EXIT_FAILURE),
        (Programs.daemon, ["--no-such-option"], EX_USAGE),
        (Programs.daemon, ["--sensor", "replay:/nonexistent"], EX_NOINPUT),
        (Programs.agent, ["--no-such-option"], EX_USAGE), (Programs.agent, [], EX_UNAVAILABLE),
        (Programs.tabletSwitch, ["--no-such-option"], EX_USAGE),
    ])
    func `exit statuses stay`(program: String, arguments: [String], status: Int32) throws {
        let folder = try TemporaryDirectory()
        let result = try RunningProgram.run(
            program, arguments,
            environment: ["ORIENTATIOND_SOCKET": folder.path + "/socket", "XDG_RUNTIME_DIR": folder.path])
        #expect(result.status == status, "\(result.errors)")
    }

    /// What the definition of each interface has at least, without comments and final parentheses.
    static let definitions = [
        "Orientation": """
        type DeviceOrientation (unknown, portrait, portraitUpsideDown, landscapeLeft, landscapeRight, faceUp, \
        faceDown
        type Edge (portrait, portraitUpsideDown, landscapeLeft, landscapeRight
        type State (orientation: DeviceOrientation, lastEdge: ?Edge, tilt: ?float, disturbance: ?float, locked: \
        bool, lockedTo: ?Edge, tabletMode: ?bool, lidAngle: ?int, tabletSwitchOverruled: ?bool, sequence: int, \
        instance: string, timestamp: int, sensor: ?string, reason: ?string, natural: Edge, rotation: int, \
        failed: ?bool
        type Sensor (id: string, name: string, driver: ?string, location: string, chosen: bool, why: string, \
        matrix: []float, matrixSource: string, warnings: []string, lastVector: ?[]float, lastError: ?string, \
        natural: ?Edge, naturalSource: ?string, statements: ?[]string
        type AmbientSensor (id: string, name: string, kind: string, chosen: bool, why: string, lastError: \
        ?string, failing: bool
        method Get() -> (state: State
        method Monitor(sensor: ?bool) -> (state: State
        method ListSensors() -> (sensors: []Sensor
        method ListAmbientSensors() -> (sensors: []AmbientSensor, served: bool, outage: ?string
        error SensorUnavailable (reason: string
        error LimitReached (limit: string, maximum: int
        """,
        "Motion": """
        type Sample (timestamp: int, x: float, y: float, z: float, raw: ?[]float
        type Origin (device: string, driver: ?string, scale: ?[]float, offset: ?[]float, matrix: []float, \
        matrixSource: string, sense: ?string, rate: ?float, classifier: ?string
        method Monitor(maximumRate: ?float) -> (samples: []Sample, origin: ?Origin, reason: ?string
        error PermissionDenied (needs: string
        """,
        "Control": """
        type Edge (portrait, portraitUpsideDown, landscapeLeft, landscapeRight
        type LogLevel (trace, debug, info, notice, warning, error, critical
        type UserConnections (user: int, connections: int, subscribers: int
        type Failure (timestamp: int, reason: string
        method SetRotationLock(locked: bool, edge: ?Edge) -> (notKept: ?string
        method ToggleRotationLock() -> (locked: bool, lockedTo: ?Edge, notKept: ?string
        method SetLogLevel(level: LogLevel) -> (
        method Status() -> (version: string, instance: string, uptime: float, source: string, logLevel: \
        LogLevel, sensor: ?string, chipRate: ?float, sampleRate: ?float, subscribers: int, connections: \
        []UserConnections, samples: int, dropped: int, changes: int, failures: []Failure
        error PermissionDenied (needs: string
        """,
        "Display": """
        type InterfaceOrientation (portrait, portraitUpsideDown, landscapeRight, landscapeLeft
        type App (appId: ?string, desktopFile: ?string, declared: ?[]InterfaceOrientation, undeclared: ?string
        type Answer (source: string, answer: string
        type Obstacle (kind: (output, never, laptop, failure, noState, lock, otherProgram), reason: string
        method Hold(appId: ?string, supported: []string, preferred: ?string, locked: ?bool) -> (orientation: \
        ?InterfaceOrientation, rotation: ?int, sentence: string, obstacle: ?Obstacle, applies: bool
        method Explain() -> (sentence: string, orientation: ?InterfaceOrientation, rotation: ?int, obstacle: \
        ?Obstacle, output: ?string, failure: ?string, app: ?App, appsUnknown: ?string, allowed: \
        []InterfaceOrientation, answers: []Answer
        error LimitReached (limit: string, maximum: int
        error PermissionDenied (needs: string
        """,
    ]

    @Test(arguments: definitions.sorted { $0.key < $1.key })
    func `types, methods and errors of the wire stay`(interface: String, definitions: String) throws {
        let file = "/Sources/Protocol/OrientationWire/org.orientationd.\(interface).varlink"
        let text = try String(contentsOfFile: Programs.packageFolder + file, encoding: .utf8)
        let lines = text.split(separator: "\n").map { $0.prefix { $0 != "#" } }
        let found = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
            .replacing("( ", with: "(").replacing(" )", with: ")")
        for definition in definitions.split(separator: "\n") { #expect(found.contains(definition), "\(found)") }
    }

    /// The options of each program and of each command of the tool, besides --help and --version, with their letters. Add
    /// new ones here.
    static let options: [(program: String, command: [String], options: String)] = [
        (
            Programs.daemon, [],
            "sensor socket state-directory classifier natural-orientation dbus idle-exit connections connections-per-user log-level"
        ),
        (
            Programs.agent, [],
            "output when orientations apps-when on-exit exec suggest dry-run json list socket log-level"
        ),
        (Programs.tabletSwitch, [], "socket"),
        (Programs.tool, [], "socket timeout"),
        (Programs.tool, ["status"], "json socket timeout"),
        (
            Programs.tool, ["watch"],
            "json plain no-color timestamps waybar suggest count duration exec debounce classifier socket"
        ),
        (Programs.tool, ["doctor"], "all json report overwrite duration socket timeout"),
        (Programs.tool, ["sensors"], "ambient json socket timeout"),
        (Programs.tool, ["calibrate"], "write undo poses from mirrored json socket timeout"),
        (Programs.tool, ["display"], "json socket timeout"),
        (Programs.tool, ["hold"], "landscape portrait orientations app-id quiet"),
        (Programs.tool, ["lock"], "toggle cycle quiet/q json socket timeout"),
        (Programs.tool, ["unlock"], "quiet/q json socket timeout"),
        (Programs.tool, ["record"], "duration rate csv overwrite quiet/q json socket timeout"),
        (Programs.tool, ["daemon"], "log-level quiet/q json socket timeout"),
        (Programs.tool, ["simulate"], "duration quiet/q socket timeout"),
        (Programs.tool, ["classify"], "json classifier time-unit"),
        (Programs.tool, ["plot"], "output/o classifier time-unit overwrite quiet/q"),
        (Programs.tool, ["convert"], "format time-unit"),
    ]

    @Test(arguments: options)
    func `options stay`(program: String, command: [String], options: String) throws {
        let help = try RunningProgram.run(program, command + ["--help"]).output
        let found = help.compactMap { line in
            line.firstMatch(of: /^  (?:-([a-z]), )?--([a-z-]+)/).map { "\($0.2)\($0.1.map { "/\($0)" } ?? "")" }
        }
        #expect(
            Set(found).subtracting(["help", "help/h", "version"]) == Set(options.split(separator: " ").map(String.init))
        )
    }
}
