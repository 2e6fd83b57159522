// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import OrientationClient
import OrientationModel
import OrientationWire
import Varlink

/// Asks the daemon what it knows.
struct DaemonReader {
    let service: OrientationService
    let socket: String

    /// How often it is asked again how the device is held, each time up to a second: hubs take a while to wake.
    private static let attempts = 3

    /// The replies as they came, for a report; and what they mean.
    struct Answers {
        var facts = DaemonFacts()
        var replies: [(method: String, text: String)] = []
    }

    func ask() async throws -> Answers {
        var answers = Answers()
        answers.facts.socket = socket
        answers.facts.isSocketThere = SystemRoot.this.exists(socket)
        answers.facts.ownVersion = Version.current
        do {
            answers.facts.version = try await call("org.varlink.service.GetInfo", &answers).value("version")
        } catch let error as CancellationError {
            throw error
        } catch {
            answers.facts.failure = "\(error)"
            if case OrientationServiceError.timedOut = error { answers.facts.isHanging = true }
            return answers
        }
        try await attempt(OrientationInterface.listSensors, &answers) { answers in
            let reply = try await call(OrientationInterface.listSensors, &answers)
            answers.facts.sensors = try SensorDescription.sensors(reply: reply)
        }
        try await attempt(OrientationInterface.get, &answers) { answers in
            answers.facts.state = try await state(&answers)
        }
        try await attempt(ControlInterface.status, &answers) { answers in try await askStatus(&answers) }
        return answers
    }

    /// What one question failed with is kept; the others are asked all the same.
    private func attempt(
        _ method: String, _ answers: inout Answers, _ ask: (inout Answers) async throws -> Void
    ) async throws {
        do {
            try await ask(&answers)
        } catch let error as CancellationError {
            throw error
        } catch {
            answers.facts.unanswered.append("\(method): \(error)")
            answers.replies.append((method, "failed: \(error)"))
        }
    }

    private func state(_ answers: inout Answers) async throws -> OrientationState {
        var reply: JSONObject = [:]
        var state = OrientationState(sequence: 0, instance: "")
        for _ in 0..<Self.attempts where state.orientation == .unknown {
            reply = try await service.call(OrientationInterface.get)
            state = try OrientationState(reply: reply)
        }
        answers.replies.append((OrientationInterface.get, reply.description))
        return state
    }

    /// Not everybody may ask for it.
    private func askStatus(_ answers: inout Answers) async throws {
        do {
            let status = try await call(ControlInterface.status, &answers)
            let failures: [JSONObject] = try status.value("failures")
            answers.facts.status = .init(
                source: try status.value("source"), failures: try failures.map { try $0.value("reason") })
        } catch OrientationServiceError.permissionDenied(let needs) {
            answers.replies.append((ControlInterface.status, "refused: it takes \(needs)"))
        }
    }

    private func call(_ method: String, _ answers: inout Answers) async throws -> JSONObject {
        let reply = try await service.call(method)
        answers.replies.append((method, reply.description))
        return reply
    }

}
