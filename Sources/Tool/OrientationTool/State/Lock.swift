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

            --toggle is for a key: it turns the lock off if it is on.

            Examples:
              orientationctl lock
              orientationctl lock landscapeLeft
              orientationctl lock --toggle
            """)

    @Argument(
        help: ArgumentHelp("Edge to keep up (default: the current one)", discussion: WordList<Edge>.all.help),
        completion: .list(WordList<Edge>.all.words), transform: WordList<Edge>.all.parse)
    var edge: Edge?

    @Flag(help: "Turn it off if it is on, else on at the current edge")
    var toggle = false

    @OptionGroup var report: ReportOptions
    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    func validate() throws {
        if toggle, edge != nil { throw ValidationError("--toggle and an edge are mutually exclusive") }
    }

    func run() async throws {
        if toggle { return try await toggleLock() }
        var parameters: JSONObject = ["locked": true]
        parameters["edge"] = edge.map { .string($0.description) }
        try await setLock(parameters, report)
    }

    /// The daemon decides: of two tools that read the lock first, both would turn it on.
    private func toggleLock() async throws {
        do {
            let reply = try await daemon.call(ControlInterface.toggleRotationLock)
            try confirm(
                isLocked: reply.value("locked"), lockedTo: reply.optionalValue("lockedTo"), reply: reply, report)
        } catch OrientationServiceError.refused(let error)
            where ["org.varlink.service.MethodNotFound", "org.varlink.service.InterfaceNotFound"].contains(error.name)
        {
            throw Failure(
                "orientationd: cannot toggle: it is older than orientationctl \(Version.current); restart it, or use "
                    + "'lock' and 'unlock'")
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

    func run() async throws {
        try await setLock(["locked": false], report)
    }
}

extension DaemonCommand {
    /// Sets the lock and prints its new state; throws if the daemon could not store it.
    fileprivate func setLock(_ parameters: JSONObject, _ report: ReportOptions) async throws {
        let reply = try await daemon.call(ControlInterface.setRotationLock, parameters)
        let isLocked = parameters["locked"] == true
        // Without an edge the daemon locks to the current one, which its state has.
        var edge: String? = try parameters.optionalValue("edge")
        if isLocked, edge == nil, !report.isQuiet, reply["notKept"] == nil {
            edge = try await daemon.state().lockedTo?.description
        }
        try confirm(isLocked: isLocked, lockedTo: edge, reply: reply, report)
    }

    /// Prints the lock; throws if the reply says that the daemon could not store it.
    fileprivate func confirm(
        isLocked: Bool, lockedTo edge: String?, reply: JSONObject, _ report: ReportOptions
    ) throws {
        let word = isLocked ? "on" : "off"
        if let reason: String = try reply.optionalValue("notKept") {
            throw Failure("rotation lock: \(word), but not stored: \(reason); it is lost when the daemon stops")
        }
        guard !report.isQuiet else { return }
        var facts: JSONObject = ["locked": .bool(isLocked)]
        facts["lockedTo"] = edge.map { .string($0) }
        try report.confirm("rotation lock: \(word)" + (edge.map { " (\($0))" } ?? ""), facts)
    }
}
