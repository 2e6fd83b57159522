// SPDX-License-Identifier: Apache-2.0

import OrientationClient
import OrientationModel
import OrientationWire
import Varlink

struct DaemonReader {
    let service: OrientationService
    let socket: String

    /// The number of requests for an orientation, which take up to a second each: sensor hubs start slowly.
    private static let attempts = 3

    func read() async throws -> DaemonFacts {
        var facts = DaemonFacts()
        facts.socket = socket
        facts.ownVersion = Version.current
        do {
            facts.version = try await call("org.varlink.service.GetInfo", &facts).value("version")
        } catch let error as CancellationError {
            throw error
        } catch {
            facts.failure = OrientationServiceError(error)
            facts.obstacle = SocketObstacle(at: socket)
            return facts
        }
        try await attempt(OrientationInterface.listSensors, &facts) { facts in
            let reply = try await call(OrientationInterface.listSensors, &facts)
            facts.sensors = try SensorDescription.sensors(reply: reply)
        }
        try await attempt(OrientationInterface.listAmbientSensors, &facts) { facts in
            try await readAmbientSensors(&facts)
        }
        try await attempt(OrientationInterface.get, &facts) { facts in
            facts.state = try await state(&facts)
        }
        try await attempt(ControlInterface.status, &facts) { facts in try await readStatus(&facts) }
        return facts
    }

    /// Makes a call and records its failure, so that the other calls are still made.
    private func attempt(
        _ method: String, _ facts: inout DaemonFacts, _ body: (inout DaemonFacts) async throws -> Void
    ) async throws {
        do {
            try await body(&facts)
        } catch let error as CancellationError {
            throw error
        } catch {
            facts.unanswered.append("\(method): \(error)")
            facts.replies.append((method, "failed: \(error)"))
        }
    }

    /// Reads the ambient sensors and the hinge, or the reason why the daemon cannot list them.
    private func readAmbientSensors(_ facts: inout DaemonFacts) async throws {
        do {
            facts.ambient = try AmbientSensorListMessage(
                reply: await call(OrientationInterface.listAmbientSensors, &facts))
        } catch OrientationServiceError.sensorUnavailable(let reason) {
            facts.ambientFailure = reason
            facts.replies.append((OrientationInterface.listAmbientSensors, "failed: \(reason)"))
        }
    }

    private func state(_ facts: inout DaemonFacts) async throws -> OrientationState {
        var reply: JSONObject = [:]
        var state = OrientationState(sequence: 0, instance: "")
        for _ in 0..<Self.attempts where state.orientation == .unknown {
            reply = try await service.call(OrientationInterface.get)
            state = try OrientationState(reply: reply)
        }
        facts.replies.append((OrientationInterface.get, reply.description))
        return state
    }

    /// Requests the status, which requires permission.
    private func readStatus(_ facts: inout DaemonFacts) async throws {
        do {
            let status = try await call(ControlInterface.status, &facts)
            let failures: [JSONObject] = try status.value("failures")
            facts.status = .init(
                source: try status.value("source"), failures: try failures.map { try $0.value("reason") })
        } catch OrientationServiceError.permissionDenied(let needs) {
            facts.replies.append((ControlInterface.status, "permission denied: requires \(needs)"))
        }
    }

    private func call(_ method: String, _ facts: inout DaemonFacts) async throws -> JSONObject {
        let reply = try await service.call(method)
        facts.replies.append((method, reply.description))
        return reply
    }
}
