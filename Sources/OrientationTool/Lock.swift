// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationClient
import OrientationModel
import OrientationWire
import Varlink

/// `orientationctl lock`: closes the rotation lock.
struct Lock: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "Close the rotation lock",
        discussion: """
            Apps keep the locked orientation until `unlock`, also after a restart. If the daemon cannot store the lock, \
            the lock is closed until the daemon stops, and the exit status is 1.

            Examples:
              orientationctl lock
              orientationctl lock landscapeLeft
            """)

    @Argument(
        help: ArgumentHelp("Edge to keep up (default: the current one)", discussion: listed(.edges)),
        completion: .list(WordList.edges.words), transform: Edge.parse)
    var edge: Edge?

    @OptionGroup var report: ReportOptions
    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    func run() async throws {
        var parameters: JSONObject = ["locked": true]
        parameters["edge"] = edge.map { .string($0.description) }
        try await setLock(parameters, report)
    }
}

/// `orientationctl unlock`: opens the rotation lock.
struct Unlock: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "Open the rotation lock",
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
        let word = isLocked ? "closed" : "open"
        if let reason: String = try reply.optionalValue("notKept") {
            throw Failure(
                "rotation lock: \(word), but not stored: \(reason); the daemon forgets it when it stops")
        }
        guard !report.isQuiet else { return }
        // Without an edge the daemon locks to the current one, which its state has.
        var edge: String? = try parameters.optionalValue("edge")
        if isLocked, edge == nil { edge = try await daemon.state().lockedTo?.description }
        var facts: JSONObject = ["locked": .bool(isLocked)]
        facts["lockedTo"] = edge.map { .string($0) }
        try report.confirm("rotation lock: \(word)" + (edge.map { ", locked to \($0)" } ?? ""), facts)
    }
}

/// Returns the valid words for the help of an argument.
func listed(_ list: WordList) -> String { "Valid: \(list.words.joined(separator: ", "))." }
