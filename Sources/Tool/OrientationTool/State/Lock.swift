// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationClient
import OrientationModel
import OrientationWire
import Varlink

/// `orientationctl lock`: turns the rotation lock on.
struct Lock: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "Turn the rotation lock on",
        discussion: """
            Apps keep the locked orientation until `unlock`, also after a restart. If the daemon cannot store the lock, \
            it is lost when the daemon stops, and the exit status is 1.

            --toggle is for a key: it turns the lock off if it is on. --cycle rotates a display without a sensor by hand: \
            it locks the display a quarter turn further, counter-clockwise. orientationd(8), NATURAL ORIENTATION, has a \
            table of the names.

            Examples:
              orientationctl lock here
              orientationctl lock natural
              orientationctl lock --toggle
            """)

    @Argument(
        help: ArgumentHelp(
            "Orientation, or edge to keep up (default: here)", discussion: WordList<PoseWord>.places.help),
        completion: .list(WordList<PoseWord>.places.words), transform: parse)
    var edge: PoseWord?

    @Flag(help: "Turn it off if it is on, else on at the current edge")
    var toggle = false

    @Flag(help: "Lock at the next quarter turn, counter-clockwise")
    var cycle = false

    @OptionGroup var report: ReportOptions
    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    func validate() throws {
        if [toggle, cycle, edge != nil].count(where: \.self) > 1 {
            throw ValidationError("--toggle, --cycle and an edge are mutually exclusive")
        }
    }

    func run() throws {
        if toggle {
            // The daemon decides: of two tools that read the lock first, both would turn it on.
            let reply = try calls.call(ControlInterface.toggleRotationLock)
            return try confirm(
                isLocked: reply.value("locked"), lockedTo: reply.optionalValue("lockedTo"), reply: reply, report)
        }
        var parameters: JSONObject = ["locked": true]
        if cycle {
            let state = try calls.state()
            let current = state.lockedPanelEdge ?? state.lastPanelEdge ?? .top
            let next = PanelEdge(rotation: (current.rotation + 90) % 360) ?? .top
            parameters["edge"] = .string(Edge(next, natural: state.assumedNatural).description)
        } else if let edge, edge != .here {
            parameters["edge"] = .string(try edge.pose { try calls.state().assumedNatural }.description)
        }
        try setLock(parameters, report)
    }

    /// Parses a word; for other words of orientations the error says what a lock takes.
    @Sendable static func parse(_ text: String) throws -> PoseWord {
        do {
            return try WordList<PoseWord>.places.parse(text)
            // A word for an orientation that is none for an edge.
        } catch let error as ValidationError where (try? OrientationList([text])) != nil {
            let meaning = OrientationWord.meaning(ofUIKitName: text).map { "\($0); " } ?? ""
            throw ValidationError("\(meaning)a lock takes one orientation or an edge; \(error.message)")
        }
    }
}

/// `orientationctl unlock`: turns the rotation lock off.
struct Unlock: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "Turn the rotation lock off",
        discussion: """
            Example:
              orientationctl unlock
            """)

    @OptionGroup var report: ReportOptions
    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    func run() throws {
        try setLock(["locked": false], report)
    }
}

extension DaemonCommand {
    /// Sets the lock and prints its new state; throws if the daemon could not store it.
    fileprivate func setLock(_ parameters: JSONObject, _ report: ReportOptions) throws {
        let reply = try calls.call(ControlInterface.setRotationLock, parameters)
        try confirm(
            isLocked: parameters["locked"] == true, lockedTo: parameters.optionalValue("edge"), reply: reply, report)
    }

    /// Prints the lock; throws if the reply says that the daemon could not store it.
    fileprivate func confirm(
        isLocked: Bool, lockedTo name: String?, reply: JSONObject, _ report: ReportOptions
    ) throws {
        if let reason: String = try reply.optionalValue("notKept") {
            let word = isLocked ? "on" : "off"
            throw Failure("rotation lock: \(word), but not stored: \(reason); it is lost when the daemon stops")
        }
        guard !report.isQuiet else { return }
        guard isLocked else { return try report.confirm("rotation lock: off", ["locked": false]) }
        // Without an edge the daemon locks to the current one, which its state has.
        var state = try calls.state()
        (state.isLocked, state.lockedTo) = (true, name.flatMap { Edge($0) } ?? state.lockedTo)
        var facts: JSONObject = ["locked": true]
        facts["lockedTo"] = state.lockedTo.map { .string($0.description) }
        facts["panelEdge"] = state.lockedPanelEdge.map { .string($0.description) }
        try report.confirm("rotation lock: \(state.lockText)", facts)
        if report.json { return }
        // After the confirmation: a compositor that hangs delays the facts by seconds.
        let note =
            SessionDisplay.rotatingDesktop.map(SessionDisplay.lockNote) ?? SessionDisplay.facts().laptopNote(state)
        if let note { try report.quiet.confirm(note) }
    }
}
