// SPDX-License-Identifier: Apache-2.0

import OrientationClient
import OrientationModel
import OrientationRules
import OrientationWire
import Posix
import Varlink

/// What the user of `hold` reads about the hold: a value, the reports of the services in, lines out.
struct HoldProgress {
    enum Phase: Equatable {
        /// No service has replied.
        case waiting
        /// No service holds, for this reason.
        case failed(String)
        case held
    }

    /// A line; `end` follows after how to start the agent, nil without that.
    typealias Line = (text: String, end: String?)

    let app: HeldApp
    let orientations: OrientationList
    /// The desktop that rotates the display itself.
    var desktop = SessionDisplay.rotatingDesktop
    /// Whether the program runs in a session, which may have an agent.
    var isInSession = Environment["XDG_RUNTIME_DIR"].map(SystemRoot.this.exists) ?? false
    private(set) var phase = Phase.waiting
    /// The last printed reason why the held display cannot be rotated.
    private(set) var obstacle: String?
    /// Why no agent holds; nil while one may.
    private(set) var agentFailure: String?

    mutating func handle(_ report: DisplayHold.Report) -> [Line] {
        switch (report.isByAgent, report.result) {
        case (true, .success(let reply)):
            agentFailure = nil
            // The sentence says why the display has its orientation, but not what the hold does.
            let isForEveryApp = ObstacleKind(in: reply)?.isForEveryApp == true
            let advice: Line = (" The hold applies while a window of the app is in front.", nil)
            return hold(reply, advice: isForEveryApp ? nil : advice)
        case (true, .failure(let error)):
            agentFailure = error.reason
            // The reply of the daemon follows.
            if case .notConnected = error, report.remedy == nil { return [] }
            return fail(SessionDisplay.program, error.reason, remedy: report.remedy)
        case (false, .success(let reply)):
            // Where no desktop follows the device, the agent is missing.
            let isMissing = desktop == nil && ObstacleKind(in: reply) == .output
            let advice: Line = (" Where no desktop rotates the display, orientation-autorotate does: ", ".")
            return hold(reply, advice: isMissing ? advice : nil)
        case (false, .failure(let error)):
            if let desktop {
                let remedy = report.remedy ?? SessionDisplay.holdAdvice(desktop)
                return fail("orientationd", error.reason, remedy: remedy)
            }
            guard let agentFailure else { return [] }
            // A daemon that serves desktops refuses users without an active session.
            let refusal = if case .permissionDenied = error { ", and orientationd: \(error.reason)" } else { "" }
            return fail(
                SessionDisplay.program, agentFailure + refusal, remedy: isInSession ? nil : SessionDisplay.needsSession)
        }
    }

    /// The timeout of the first reply has passed.
    mutating func timedOut(after timeout: Duration) -> [Line] {
        guard phase == .waiting else { return [] }
        let reason = OrientationServiceError.timedOut(after: timeout).reason
        return fail(agentFailure == nil ? SessionDisplay.program : "orientationd", reason, remedy: "still waiting")
    }

    /// The first reply, or that of a service that started later; `advice` follows its sentence if the hold does not apply.
    private mutating func hold(_ reply: JSONObject, advice: Line?) -> [Line] {
        defer { phase = .held }
        guard case .string(let sentence)? = reply["sentence"] else { return [] }
        let isFailing = [.failure, .output].contains(ObstacleKind(in: reply))
        defer { obstacle = isFailing ? sentence : nil }
        guard phase != .held else { return isFailing && sentence != obstacle ? [(sentence, nil)] : [] }
        var lines: [Line] = [("\(app) holds \(orientations)", nil)]
        // Where the display has its orientation at the rotation of a wide panel.
        if case .string(let name)? = reply["orientation"], let orientation = InterfaceOrientation(name),
            reply["rotation"] == .integer(Int64(DisplayRotation(orientation, on: .wide).panelEdge.rotation)),
            let warning = orientations.warning(natural: .landscapeLeft)
        {
            lines.append(("warning: \(warning)", nil))
        }
        let advice = reply["applies"] == .bool(true) ? nil : advice
        return lines + [(sentence + (advice?.text ?? ""), advice?.end)]
    }

    /// A failure with what to do, by default how to start the agent.
    private mutating func fail(_ service: String, _ reason: String, remedy: String?) -> [Line] {
        defer { phase = .failed(reason) }
        guard phase != .failed(reason) else { return [] }
        let text = "\(service): cannot hold the orientation: \(reason)"
        return remedy == "" ? [(text, nil)] : [("\(text); \(remedy ?? "")", remedy == nil ? "" : nil)]
    }
}

extension DisplayHold.Report {
    /// What the user of `hold` can do about a failure; nil to start the agent, empty if the reason says it.
    var remedy: String? {
        guard case .failure(let error) = result else { return nil }
        if needsPermission { return "run this as the user of the session" }
        return switch error {
        case .untrusted: ""
        case .notConnected, .refused: nil
        default: "retrying"
        }
    }
}
