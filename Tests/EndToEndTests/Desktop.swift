// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A bus of a test's own, in the place of the system's.
final class PrivateBus {
    private let folder: TemporaryFolder
    private var program: RunningProgram?
    private let isClosed: Bool

    /// What a program needs to take it for the system's.
    var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path)/bus"] }

    /// Nobody may have the name on it where `isClosed`.
    init(isRunning: Bool = true, isClosed: Bool = false) throws {
        self.isClosed = isClosed
        folder = try TemporaryFolder()
        if isRunning { try start() }
    }

    /// Starts it, and waits until it listens.
    func start() throws {
        let configuration = try folder.write(
            """
            <busconfig><listen>unix:path=\(folder.path)/bus</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/>
            <allow send_type="method_return"/><allow send_type="error"/><allow send_type="signal"/>
            <allow receive_sender="*"/>\(isClosed ? "<deny own=\"net.hadess.SensorProxy\"/>" : "")</policy></busconfig>
            """, to: "bus.conf")
        let program = try RunningProgram(
            "/usr/bin/dbus-daemon", ["--nofork", "--print-address", "--config-file", configuration])
        guard try program.line()?.isEmpty == false else { throw Surprise("no bus: \(program.errorText)") }
        self.program = program
    }

    /// Lets other users than this one reach it.
    func admitOtherUsers() {
        chmod(folder.path, 0o755)
        chmod(folder.path + "/bus", 0o777)
    }

    /// Ends it, and with it every connection.
    func stop() {
        program?.send(SIGTERM)
        _ = program?.wait()
        program = nil
    }

    /// Holds it up, so that it accepts nothing and says nothing, or lets it go on.
    func freeze(_ isFrozen: Bool) {
        program?.send(isFrozen ? SIGSTOP : SIGCONT)
    }

    func program(_ path: String, _ arguments: [String], keepsInput: Bool = false) throws -> RunningProgram {
        try RunningProgram(path, arguments, environment: environment, keepsInput: keepsInput)
    }

    /// Starts the program that stands in for polkit, and waits until it has its name.
    func polkit(answering answer: String) throws -> RunningProgram {
        let script = Programs.packageFolder + "/Tests/EndToEndTests/Python/polkit.py"
        let program = try program("/usr/bin/python3", [script, answer])
        guard try program.line() == "ready" else { throw Surprise("no polkit: \(program.errorText)") }
        return program
    }
}

/// A program on the bus that does what desktops do, and hears what they hear.
final class Desktop {
    /// What it heard.
    enum Event: Equatable {
        case answer(String)
        case properties([String: String])
        /// The properties in a signal.
        case signal([String: String])
        case owner(Bool)
        case lost
    }

    let program: RunningProgram

    /// Starts it; it hears first whether anybody has the name.
    init(on bus: PrivateBus) throws {
        program = try bus.program(
            "/usr/bin/python3", [Programs.packageFolder + "/Tests/EndToEndTests/Python/desktop.py"], keepsInput: true)
    }

    deinit {
        program.send(SIGKILL)
    }

    func say(_ words: String...) throws {
        program.write(String(decoding: try JSONEncoder().encode(words), as: UTF8.self) + "\n")
    }

    func event() throws -> Event {
        guard let line = try program.line() else { throw Surprise("the desktop ended: \(program.errorText)") }
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        guard let (kind, value) = object?.first else { throw Surprise("not an event: \(line)") }
        switch (kind, value) {
        case ("answer", let values as [String: Any]): return .properties(values.mapValues(Self.text))
        case ("answer", _): return .answer(Self.text(value))
        case ("signal", let values as [String: Any]): return .signal(values.mapValues(Self.text))
        case ("owner", let isThere as Bool): return .owner(isThere)
        default: return .lost
        }
    }

    /// A text as it is, a number and a truth value as a whole number.
    private static func text(_ value: Any) -> String {
        value as? String ?? (value as? NSNumber).map { String(Int($0.doubleValue)) } ?? "\(value)"
    }

    /// The events up to and including the first that fits.
    func events(until fits: (Event) -> Bool) throws -> [Event] {
        var events: [Event] = []
        do {
            while events.last.map(fits) != true { events.append(try event()) }
        } catch {
            throw Surprise("\(error), after \(events)")
        }
        return events
    }

    /// Waits until somebody has the name, or nobody has.
    func awaitOwner(_ isThere: Bool = true) throws {
        _ = try events { $0 == .owner(isThere) }
    }

    /// Says something, and gives all that is heard up to the answer.
    func ask(_ what: String, _ word: String? = nil) throws -> [Event] {
        if let word { try say(what, word) } else { try say(what) }
        return try events {
            switch $0 {
            case .answer, .properties: true
            default: false
            }
        }
    }

    /// Claims the accelerometer; all that is heard up to the answer.
    @discardableResult
    func claim() throws -> [Event] { try ask("call", "ClaimAccelerometer") }

    /// Everything up to the first signal in which a property has this value.
    @discardableResult
    func signal(_ property: String, _ value: String) throws -> Event? {
        try events { if case .signal(let values) = $0 { values[property] == value } else { false } }.last
    }
}
