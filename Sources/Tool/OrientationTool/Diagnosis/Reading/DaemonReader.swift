// SPDX-License-Identifier: Apache-2.0

import OrientationClient
import OrientationModel
import OrientationWire
import Varlink

/// Queries the daemon.
struct DaemonReader {
    let service: OrientationService
    let socket: String

    /// The number of requests for an orientation, which take up to a second each: sensor hubs start slowly.
    private static let attempts = 3

    /// The parsed replies, and their text for a report.
    struct Replies {
        var facts = DaemonFacts()
        var replies: [(method: String, text: String)] = []
    }

    func read() async throws -> Replies {
        var replies = Replies()
        replies.facts.socket = socket
        replies.facts.isSocketThere = SystemRoot.this.exists(socket)
        replies.facts.ownVersion = Version.current
        do {
            replies.facts.version = try await call("org.varlink.service.GetInfo", &replies).value("version")
        } catch let error as CancellationError {
            throw error
        } catch {
            replies.facts.failure = "\(error)"
            if case OrientationServiceError.timedOut = error { replies.facts.isHanging = true }
            return replies
        }
        try await attempt(OrientationInterface.listSensors, &replies) { replies in
            let reply = try await call(OrientationInterface.listSensors, &replies)
            replies.facts.sensors = try SensorDescription.sensors(reply: reply)
        }
        try await attempt(OrientationInterface.listAmbientSensors, &replies) { replies in
            try await readAmbientSensors(&replies)
        }
        try await attempt(OrientationInterface.get, &replies) { replies in
            replies.facts.state = try await state(&replies)
        }
        try await attempt(ControlInterface.status, &replies) { replies in try await readStatus(&replies) }
        return replies
    }

    /// Makes a call and records its failure, so that the other calls are still made.
    private func attempt(
        _ method: String, _ replies: inout Replies, _ body: (inout Replies) async throws -> Void
    ) async throws {
        do {
            try await body(&replies)
        } catch let error as CancellationError {
            throw error
        } catch {
            replies.facts.unanswered.append("\(method): \(error)")
            replies.replies.append((method, "failed: \(error)"))
        }
    }

    /// Reads the ambient sensors and the hinge, or the reason why the daemon cannot list them.
    private func readAmbientSensors(_ replies: inout Replies) async throws {
        do {
            let list = try await service.ambientSensors()
            replies.facts.ambient = list
            replies.replies.append((OrientationInterface.listAmbientSensors, list.reply.description))
        } catch OrientationServiceError.sensorUnavailable(let reason) {
            replies.facts.ambientFailure = reason
            replies.replies.append((OrientationInterface.listAmbientSensors, "failed: \(reason)"))
        }
    }

    private func state(_ replies: inout Replies) async throws -> OrientationState {
        var reply: JSONObject = [:]
        var state = OrientationState(sequence: 0, instance: "")
        for _ in 0..<Self.attempts where state.orientation == .unknown {
            reply = try await service.call(OrientationInterface.get)
            state = try OrientationState(reply: reply)
        }
        replies.replies.append((OrientationInterface.get, reply.description))
        return state
    }

    /// Requests the status, which requires permission.
    private func readStatus(_ replies: inout Replies) async throws {
        do {
            let status = try await call(ControlInterface.status, &replies)
            let failures: [JSONObject] = try status.value("failures")
            replies.facts.status = .init(
                source: try status.value("source"), failures: try failures.map { try $0.value("reason") })
        } catch OrientationServiceError.permissionDenied(let needs) {
            replies.replies.append((ControlInterface.status, "permission denied: requires \(needs)"))
        }
    }

    private func call(_ method: String, _ replies: inout Replies) async throws -> JSONObject {
        let reply = try await service.call(method)
        replies.replies.append((method, reply.description))
        return reply
    }
}
