// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import OrientationModel
internal import OrientationRules
internal import OrientationWire

/// Why the display has its orientation: the reply of `Explain`, and what subscribers of `Hold` receive.
struct Explanation: Hashable, Sendable {
    /// One sentence for the user.
    var sentence: String
    /// The orientation that the display has or is rotating to; nil without a display that rotates.
    var orientation: InterfaceOrientation?
    /// The rotation in degrees, counter-clockwise.
    var rotation: Int?
    /// What keeps the display from following the device; nil while it does.
    var obstacle: Obstacle?
    /// Why the output could not be rotated, if the last attempt failed.
    var failure: String?
    /// The name of the output that rotates.
    var output: String?
    var window: FrontWindow?
    var desktopFile: String?
    var declared: [InterfaceOrientation]?
    /// Why none apply; nil if they do.
    var undeclared: String?
    /// Why the window in front is not known.
    var appsUnknown: String?
    /// The orientations that all sources allow.
    var allowed = InterfaceOrientationMask()
    var answers: [OrientationExplanation.Line] = []
    /// The holds in force, by ``OrientationHold/id``.
    var holds: Set<Int> = []
}

/// What keeps the display from following the device.
struct Obstacle: Hashable, Sendable {
    /// The option that rotates the display in laptop mode.
    static let remedy = "--when always rotates it in every mode"

    let kind: ObstacleKind
    /// Why the display does not follow the device, for the user.
    let reason: String
    /// Why the display keeps its orientation; nil if the last decision says it.
    let cause: String?
    /// What ends the obstacle; nil if it is not expected to end.
    let waitsFor: String?

    /// An obstacle whose cause is the reason.
    init(_ kind: ObstacleKind, cause: String, waitsFor: String? = nil) {
        (self.kind, self.reason, self.cause, self.waitsFor) = (kind, cause, cause, waitsFor)
    }

    /// An obstacle whose end is the reason.
    init(_ kind: ObstacleKind, waitsFor: String, cause: String? = nil) {
        (self.kind, self.reason, self.cause, self.waitsFor) = (kind, "waits for \(waitsFor)", cause, waitsFor)
    }
}

extension AutorotatePolicy {
    /// Why the display has its orientation.
    var explanation: Explanation {
        let (status, others) = (status, obstacles)
        let isWithoutOutput = selection.isKnown && status.isObstacle
        let obstacles = (isWithoutOutput ? [Obstacle(.output, cause: "\(status)")] : []) + others
        var explanation = Explanation(sentence: "", obstacle: obstacles.first)
        explanation.output = output?.name
        explanation.failure = request.failure
        explanation.window = apps.window
        explanation.desktopFile = apps.declarationInFront?.fileName
        (explanation.declared, explanation.undeclared) = (apps.declared, apps.undeclared)
        explanation.appsUnknown = appsUnknown
        let isKept = request.phase == .overridden || request.failure != nil
        let final = isKept ? currentTransform : request.target ?? currentTransform
        if let final, output?.isEnabled == true {
            explanation.orientation = orientation(final)
            explanation.rotation = final.rotation
        }
        if let cause = obstacles.compactMap(\.cause).first {
            explanation.sentence = "The display keeps its orientation: \(cause)."
        } else if let decision {
            explanation.sentence = decision.sentence(isTurning: final != (assumed ?? output?.transform))
            explanation.allowed = decision.decision.allowed
            explanation.answers = decision.decision.explanation.queried
            explanation.holds = Set(apps.holdsInForce.map(\.id))
        } else {
            explanation.sentence =
                "The display keeps its orientation: no orientation of the device has been received yet."
        }
        if daemon.isMissing {
            explanation.sentence = "\(explanation.sentence.dropLast()); orientationd is not connected."
        }
        return explanation
    }

    private var appsUnknown: String? {
        if settings.appsWhen == .never { return "--apps-when never: apps are ignored." }
        if case .unsupported(let reason) = apps.front { return reason }
        return nil
    }

    /// What keeps an output from following the device, the most lasting first.
    private var obstacles: [Obstacle] {
        var all: [Obstacle] = []
        if settings.when == .never {
            let option = "--when never"
            all.append(Obstacle(.never, cause: option, waitsFor: "rotations of other programs: \(option)"))
        }
        if !pose.isActive {
            let reason: String? =
                switch (device.newest?.tabletMode, device.newest?.lidAngle) {
                case (nil, _): chassis?.laptopReason
                // Not the angle: subscribers of the explanation would receive each step of a fold.
                case (_, let angle?):
                    Double(angle) >= TabletDecision.tabletAngle ? "its keyboard is up" : "its lid is not folded back"
                case (_, nil): nil
                }
            let cause = "the device is not in tablet mode\(reason.map { ": \($0)" } ?? ""); \(Obstacle.remedy)"
            all.append(Obstacle(.laptop, cause: cause, waitsFor: "tablet mode"))
        }
        if let failure = request.failure { all.append(Obstacle(.failure, cause: failure)) }
        if device.newest == nil || daemon != .following {
            all.append(Obstacle(.noState, waitsFor: "the orientation of the device"))
        }
        if let state = device.newest, state.isLocked {
            all.append(Obstacle(.lock, waitsFor: "the end of the rotation lock, which is \(state.lockText)"))
        }
        if request.phase == .overridden, let output {
            let turn = "the next turn of the device: \(output.transform.text) was set by another program"
            let cause = "\(AgentMessage.rotatedByHand(output.name, output.transform))"
            all.append(Obstacle(.otherProgram, waitsFor: turn, cause: cause))
        }
        return all
    }

    /// Which output rotates, or why none does.
    var status: AgentMessage {
        guard let chosen = selection.chosen, let output else {
            return .noOutput(option: settings.output, outputs: outputs.map(\.name))
        }
        if !output.isEnabled { return .disabled(output.name) }
        return output.transform.isFlipped
            ? .flipped(output.name, output.transform)
            : .chosen(chosen, waiting: waitsFor, isDryRun: settings.isDryRun)
    }

    /// What the output waits for; nil while it follows the device.
    var waitsFor: String? { obstacles.compactMap(\.waitsFor).first }
}
