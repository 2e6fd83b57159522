// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationClient
import OrientationModel
import OrientationWire
import Varlink

/// `orientationctl lock`: closes the user's rotation lock.
struct Lock: AsksDaemon {
    static let configuration = CommandConfiguration(
        abstract: "Close the rotation lock: apps keep the orientation it holds.",
        discussion: """
            It stays closed until `unlock`, across restarts too. Where the daemon cannot keep it across restarts, the lock \
            is closed all the same, the reason is told, and the exit status is 1.

            Examples:
              orientationctl lock
              orientationctl lock landscapeLeft
            """)

    @Argument(
        help: ArgumentHelp(
            "The edge to hold: portrait, portraitUpsideDown, landscapeLeft or landscapeRight; without it the one that is up.",
            valueName: "edge"),
        completion: .list(Edge.allCases.map(\.description)),
        transform: { name in
            guard let edge = Edge(name) else { throw ValidationError("'\(name)' is none of the four edges") }
            return edge
        })
    var edge: Edge?

    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    func run() async throws {
        var parameters: JSONObject = ["locked": true]
        parameters["edge"] = edge.map { .string($0.description) }
        try await setLock(parameters)
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

    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    func run() async throws {
        try await setLock(["locked": false])
    }
}

extension AsksDaemon {
    /// Sets the lock; one that will be lost with the daemon is only half a success.
    fileprivate func setLock(_ parameters: JSONObject) async throws {
        let reply = try await daemon.call(ControlInterface.setRotationLock, parameters)
        let word = parameters["locked"] == true ? "closed" : "open"
        if let reason: String = try reply.optionalValue("notKept") {
            throw Failure("the rotation lock is \(word), but only until the daemon ends: \(reason)")
        }
    }
}
