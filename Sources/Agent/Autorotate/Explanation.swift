// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import InterfaceRotation
internal import OrientationModel

/// Why the display has its orientation: the reply of `Explain`, and what subscribers of `Hold` receive.
struct Explanation: Hashable, Sendable {
    /// One sentence for the user.
    var sentence: String
    /// The orientation that the display has or is rotating to; nil without a display that rotates.
    var orientation: InterfaceOrientation?
    /// The rotation in degrees, counter-clockwise.
    var rotation: Int?
    /// What the display waits for; nil while it follows the device.
    var waiting: String?
    /// Why the output could not be rotated, if the last attempt failed.
    var failure: String?
    /// The name of the output that rotates.
    var output: String?
    /// The window in front.
    var window: FrontWindow?
    /// Its desktop file.
    var desktopFile: String?
    /// The declared orientations that apply.
    var declared: [InterfaceOrientation]?
    /// Why the window in front is not known.
    var appsUnknown: String?
    /// The orientations that all sources allow.
    var allowed = InterfaceOrientationMask()
    /// The sources and their answers.
    var answers: [OrientationExplanation.Line] = []
    /// The beginning of the sentences about an obstacle, and of that in laptop mode.
    static let keeps = "The display keeps its orientation: "
    static let notInTabletMode = keeps + "the device is not in tablet mode"
    /// The option that rotates the display in laptop mode.
    static let wayOut = "--when always rotates it in every mode"

    /// The holds in force, by ``Hold/id``.
    var holds: Set<Int> = []
}

/// A decision, and its sentence in the words of a session.
struct SessionDecision: Sendable {
    let decision: OrientationDecision
    let sentence: String

    /// - Parameters:
    ///   - decision: the decision.
    ///   - cause: what caused it.
    ///   - file: the desktop file that declares orientations, if any.
    init(_ decision: OrientationDecision, cause: SessionCause, file: String?) {
        self.decision = decision
        var words = OrientationDecision.Words(cause: cause.phrase)
        words.subject = "The display"
        words.requester = "another program set it"
        words.names = { OrientationList(edges: $0.compactMap(\.edge)).description }
        if let file { words.manifest = file }
        sentence = decision.sentence(words)
    }
}

extension OrientationDecision {
    /// The orientations that device, desktop file and holds allow.
    var allowed: InterfaceOrientationMask {
        circumstances.deviceMask.intersection(circumstances.windowMask).intersection(circumstances.controllerMask)
    }
}

extension AutorotatePolicy {
    /// Why the display has its orientation.
    var explanation: Explanation {
        var explanation = Explanation(sentence: "")
        explanation.output = output?.name
        explanation.waiting = waiting
        explanation.failure = request.failure
        explanation.window = apps.window
        explanation.desktopFile = apps.declarationInFront?.fileName
        explanation.declared = apps.declared
        explanation.appsUnknown = appsUnknown
        let isKept = request.phase == .overridden || request.failure != nil
        let final = isKept ? currentTransform : request.target ?? currentTransform
        if let final, output?.isEnabled == true {
            explanation.orientation = orientation(final)
            explanation.rotation = final.rotation
        }
        if let obstacle {
            explanation.sentence = obstacle
        } else if let decision {
            explanation.sentence = decision.sentence
            explanation.allowed = decision.decision.allowed
            explanation.answers = decision.decision.explanation.queried
            explanation.holds = Set(apps.holdsInForce.map(\.id))
        } else {
            explanation.sentence = Explanation.keeps + "no orientation of the device has been received yet."
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

    /// Why apps and the device do not decide, as a sentence; nil if they do.
    private var obstacle: String? {
        if let status = selection.isKnown ? status : nil, status.isObstacle {
            return "\(Explanation.keeps)\(status)."
        }
        guard settings.when != .never else { return Explanation.keeps + "--when never." }
        guard pose.isActive else {
            let reason: String? =
                switch (device.newest?.tabletMode, device.newest?.lidAngle) {
                case (nil, _): chassis?.laptopReason
                // Not the angle: subscribers of the explanation would receive each step of a fold.
                case (_, _?): "its lid is not folded back"
                case (_, nil): nil
                }
            return "\(Explanation.notInTabletMode)\(reason.map { ": \($0)" } ?? ""); \(Explanation.wayOut)."
        }
        if let failure = request.failure { return "\(Explanation.keeps)\(failure)." }
        guard request.phase == .overridden, let output else { return nil }
        return "\(Explanation.keeps)\(Report.rotatedByHand(output.name, output.transform))."
    }

    /// Which output rotates, or why none does.
    var status: Report {
        guard let chosen = selection.chosen, let output else {
            return .noOutput(option: settings.output, outputs: outputs.map(\.name))
        }
        if !output.isEnabled { return .disabled(output.name) }
        return output.transform.isFlipped
            ? .flipped(output.name, output.transform)
            : .chosen(chosen, waiting: waiting, isDryRun: settings.isDryRun)
    }

    /// What the output waits for; nil while it follows the device.
    var waiting: String? {
        if settings.when == .never { return "rotations of other programs: --when never" }
        guard let state = device.newest, daemon == .following else { return "the orientation of the device" }
        if !pose.isActive { return "tablet mode" }
        if state.isLocked { return "the end of the rotation lock, which is \(state.lockText)" }
        guard request.phase == .overridden, let output else { return nil }
        return "the next turn of the device: \(output.transform.text) was set by another program"
    }
}
