// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationClient
import OrientationModel
import OrientationWire
import Varlink

/// `orientationctl lock`: closes the user's rotation lock.
struct Lock: AsksDaemon {
    static let configuration = CommandConfiguration(
        abstract: "Close the rotation lock, at an edge or the one now up.",
        discussion: """
            Apps keep the orientation that the lock holds until `unlock`, across restarts too. If the daemon cannot store \
            the lock it is closed all the same, and the exit status is 1.

            Examples:
              orientationctl lock
              orientationctl lock landscapeLeft
            """)

    @Argument(
        help: ArgumentHelp("The edge to hold; without it the one now up.", discussion: listed(.edges)),
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

/// `orientationctl unlock`: opens the user's rotation lock.
struct Unlock: AsksDaemon {
    static let configuration = CommandConfiguration(
        abstract: "Open the rotation lock: apps follow the device again.",
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

extension AsksDaemon {
    /// Sets the lock and prints what it is now; a lock that cannot be stored is an error.
    fileprivate func setLock(_ parameters: JSONObject, _ report: ReportOptions) async throws {
        let reply = try await daemon.call(ControlInterface.setRotationLock, parameters)
        let isLocked = parameters["locked"] == true
        let word = isLocked ? "closed" : "open"
        if let reason: String = try reply.optionalValue("notKept") {
            throw Failure("the rotation lock is \(word), but only until the daemon ends: \(reason)")
        }
        guard !report.isQuiet else { return }
        // Without an edge the daemon chose the one that is up, and reports it in its state.
        var edge: String? = try parameters.optionalValue("edge")
        if isLocked, edge == nil { edge = try await daemon.state().lockedTo?.description }
        var facts: JSONObject = ["locked": .bool(isLocked)]
        facts["lockedTo"] = edge.map { .string($0) }
        try report.confirm("rotation lock: \(word)" + (edge.map { ", holds \($0)" } ?? ""), facts)
    }
}

/// The valid words, for the help of an argument.
func listed(_ list: WordList) -> String { "One of \(list.words.joined(separator: ", "))." }
