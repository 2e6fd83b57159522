// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

extension PrivateBus {
    /// Makes the socket accessible to other users.
    func allowOtherUsers() {
        chmod(directory.path, 0o755)
        chmod(directory.socket, 0o777)
    }

    func program(_ path: String, _ arguments: [String], keepsInput: Bool = false) throws -> RunningProgram {
        try RunningProgram(path, arguments, environment: environment, keepsInput: keepsInput)
    }

    /// Starts a daemon that serves desktops on this bus.
    func daemon(
        _ arguments: [String] = [], devices: [Machine.Device]? = nil, inputs: [Machine.InputDevice] = [],
        faults: Faults? = nil
    ) throws -> RunningDaemon {
        try RunningDaemon(
            ["--dbus"] + arguments, devices: devices, inputs: inputs, faults: faults, environment: environment)
    }

    /// Starts a desktop, and waits until the service has its name, and until this property is 1: a service has its name
    /// before its first scan if that takes 2 s.
    func desktop(seeing presence: String? = nil) throws -> Desktop {
        let desktop = try Desktop(on: self)
        try desktop.awaitOwner()
        guard let presence else { return desktop }
        let isThere = try eventually {
            let events = try desktop.request("get", presence)
            // The name has a new owner when a sensor appears.
            if events.last(where: \.isOwner) == .owner(false) { try desktop.awaitOwner() }
            return events.last == .answer("1")
        }
        guard isThere else { throw TestFailure("\(presence) is not 1") }
        return desktop
    }
}

/// A D-Bus client that makes the calls of desktops and receives their signals.
final class Desktop {
    /// A received message.
    enum Event: Equatable {
        case answer(String)
        case properties([String: String])
        /// The properties in a signal.
        case signal([String: String])
        case owner(Bool)
        case lost

        var isOwner: Bool { if case .owner = self { true } else { false } }
    }

    let program: RunningProgram

    /// Starts the client; its first event is whether the name has an owner.
    init(on bus: PrivateBus) throws {
        program = try bus.program(
            "/usr/bin/python3", [Programs.packageFolder + "/Tests/Programs/EndToEndTests/Python/desktop.py"],
            keepsInput: true)
    }

    deinit {
        program.send(SIGKILL)
    }

    func send(_ words: String...) throws { try send(words) }

    private func send(_ words: [String]) throws {
        program.write(String(decoding: try JSONEncoder().encode(words), as: UTF8.self) + "\n")
    }

    func event() throws -> Event {
        guard let line = try program.line() else { throw TestFailure("the desktop ended: \(program.errorText)") }
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        guard let (kind, value) = object?.first else { throw TestFailure("not an event: \(line)") }
        switch (kind, value) {
        case ("answer", let values as [String: Any]): return .properties(values.mapValues(Self.text))
        case ("answer", _): return .answer(Self.text(value))
        case ("signal", let values as [String: Any]): return .signal(values.mapValues(Self.text))
        case ("owner", let isThere as Bool): return .owner(isThere)
        default: return .lost
        }
    }

    /// Formats a string unchanged, a number or Boolean as an integer.
    private static func text(_ value: Any) -> String {
        value as? String ?? (value as? NSNumber).map { String(Int($0.doubleValue)) } ?? "\(value)"
    }

    /// Returns the events up to and including the first that matches.
    func events(until fits: (Event) -> Bool) throws -> [Event] {
        var events: [Event] = []
        do {
            while events.last.map(fits) != true { events.append(try event()) }
        } catch {
            throw TestFailure("\(error), after \(events)")
        }
        return events
    }

    /// Waits until the name has an owner, or none.
    func awaitOwner(_ isThere: Bool = true) throws {
        _ = try events { $0 == .owner(isThere) }
    }

    /// Sends a command and returns all events up to its answer.
    func request(_ words: String...) throws -> [Event] {
        try send(words)
        return try events {
            switch $0 {
            case .answer, .properties: true
            default: false
            }
        }
    }

    /// Claims the accelerometer; returns all events up to the answer.
    @discardableResult
    func claim() throws -> [Event] { try request("call", "ClaimAccelerometer") }

    /// Claims a sensor that does not run; returns the first signal. After 2 s without a reading the answer precedes it.
    func firstReading(_ words: String...) throws -> [String: String] {
        let start = ContinuousClock.now
        try send(words)
        var reading: [String: String]?
        var isAnswered = false
        while true {
            if isAnswered, let reading { return reading }
            switch try event() {
            case .answer("done") where reading != nil || ContinuousClock.now - start > .seconds(1.9): isAnswered = true
            case .signal(let values): reading = reading ?? values
            case let other: throw TestFailure("\(words): \(other)")
            }
        }
    }

    /// Whether the next signals have this value of a property, after any number of the former one.
    func changes(_ property: String, from former: String, to value: String) throws -> Bool {
        try events { $0 == .signal([property: value]) }.dropLast().allSatisfy { $0 == .signal([property: former]) }
    }

    /// Returns the first signal in which a property has this value.
    @discardableResult
    func signal(_ property: String, _ value: String) throws -> Event? {
        try events { if case .signal(let values) = $0 { values[property] == value } else { false } }.last
    }
}
