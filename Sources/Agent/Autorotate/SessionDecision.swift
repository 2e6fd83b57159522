// SPDX-License-Identifier: Apache-2.0

internal import DesktopEntry
internal import Displays
internal import OrientationModel
internal import OrientationRules

/// A decision, and its sentence in the words of a session.
struct SessionDecision: Sendable {
    let decision: OrientationDecision
    private let words: OrientationDecision.Words

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
        self.words = words
    }

    /// What the display does; after the turn, where it is.
    func sentence(isTurning: Bool) -> String {
        decision.sentence(words, turn: isTurning ? "turns to" : "is in")
    }
}

extension OrientationDecision {
    /// The orientations that device, desktop file and holds allow.
    var allowed: InterfaceOrientationMask {
        circumstances.deviceMask.intersection(circumstances.windowMask).intersection(circumstances.controllerMask)
    }
}

// The decision of `OrientationRules` in the place of a window that covers the screen: the output has the orientation of the
// interface, `--orientations` is the mask of the device, the desktop file the mask of the window, and the holds the
// masks of the view controllers.

extension AutorotatePolicy {
    /// Decides which orientation the output has, and rotates it. Without a cause nothing has changed.
    ///
    /// - Parameters:
    ///   - cause: what changed.
    ///   - wanted: the transform that the device asks for, if the device is the cause.
    /// - Returns: the effects.
    mutating func decide(_ cause: SessionCause?, wanted: OutputTransform? = nil) -> [Effect] {
        guard let cause else { return [] }
        guard canDecide, let current = currentOrientation else {
            // The output cannot be rotated now: it follows the device later.
            return wanted.map { begin($0) } ?? []
        }
        var c = circumstances(cause, current: current)
        if cause.rules == .lockTurnedOn {
            // `orientationctl lock EDGE` turns the display there, as for a window shown while the lock is on.
            // OrientationRules only keeps the orientation.
            c.cause = .windowMadeKey
            c.current = OrientationDecision.decide(c).orientation
            c.cause = .lockTurnedOn
        } else if apps.isPresenting {
            c.cause = .presented
        }
        let new = OrientationDecision.decide(c)
        // A change of the outputs explains an orientation only if it changed the orientation.
        if cause != .outputsChanged || decision?.decision.orientation != new.orientation {
            decision = SessionDecision(new, cause: cause, file: apps.declaredFile)
        }
        apps.record(new, from: current)
        guard let edge = new.orientation.edge else { return [] }
        let transform = OutputTransform(PanelEdge(edge, natural: natural))
        if wanted == nil, transform == currentTransform || request.hasGivenUp(transform) {
            request.keep(transform)
            return []
        }
        return begin(transform)
    }

    /// Explains why a change of the device rotates nothing.
    mutating func explain(_ cause: SessionCause) {
        guard canDecide, let current = currentOrientation else { return }
        let new = OrientationDecision.decide(circumstances(cause, current: current))
        guard new.orientation == current else { return }
        decision = SessionDecision(new, cause: cause, file: apps.declaredFile)
    }

    private var canDecide: Bool {
        pose.isActive && ending == .running && settings.when != .never && output?.isEnabled == true
            && (device.settled != nil || daemon.isMissing)
    }

    private func circumstances(_ cause: SessionCause, current: InterfaceOrientation) -> OrientationCircumstances {
        var c = OrientationCircumstances(cause.rules, current: current, device: device.settled?.orientation ?? .unknown)
        c.lastEdge = device.lastEdge
        if let settled = device.settled, settled.isLocked { c.userLock = .on(at: settled.lockedTo) }
        c.heldRequest = request.setByHand.flatMap(orientation)
        if settings.orientations != Settings().orientations {
            c.deviceMaskOption = "--orientations \(settings.orientations)"
        }
        // An orientation that `--orientations` does not permit may stay.
        c.deviceMask = InterfaceOrientationMask(settings.orientations.interfaces(natural: natural) + [current])
        apps.answer(&c)
        return c
    }

    /// The natural orientation of the device; before the first state, from the panel's shape.
    var natural: Edge {
        device.settled?.natural ?? output?.mode.map {
            PanelShape(width: Double($0.width), height: Double($0.height)).natural
        }
            ?? .portrait
    }

    /// The transform that the output has, or is rotating to.
    var currentTransform: OutputTransform? { request.pending?.transform ?? assumed ?? output?.transform }

    private var currentOrientation: InterfaceOrientation? { currentTransform.flatMap(orientation) }

    /// The interface orientation that a transform draws upright; nil for a mirrored picture.
    func orientation(_ transform: OutputTransform) -> InterfaceOrientation? {
        transform.edge.map { InterfaceOrientation(Edge($0, natural: natural)) }
    }
}
