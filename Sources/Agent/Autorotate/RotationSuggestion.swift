// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import OrientationModel
internal import OrientationRules

/// The suggestion of `--suggest`: the rotation lock is on, and the device is held at another edge than the display has.
struct RotationSuggestion: Sendable {
    /// The edge to suggest; nil for none.
    fileprivate var edge: PanelEdge?
    /// Whether there is a notification. It stays while the device is held at the next edge for the delay.
    fileprivate var isShown = false
}

extension AutorotatePolicy {
    /// The edge that is up, if the display does not have it only because of the rotation lock.
    private var edgeToSuggest: PanelEdge? {
        guard settings.suggests, !settings.isDryRun, ending == .running, daemon == .following, pose.isActive,
            output?.isEnabled == true, var state = device.newest, state.isLocked
        else { return nil }
        state.isLocked = false
        guard let wanted = settings.transform(for: state), let current = currentTransform, wanted != current,
            !current.isFlipped, let interface = orientation(wanted),
            decision?.decision.allowed.contains(InterfaceOrientationMask([interface])) ?? true
        else { return nil }
        return wanted.edge
    }

    /// Begins or withdraws the suggestion, after each event. One that was answered returns with the next edge.
    mutating func updateSuggestion() -> [Effect] {
        let edge = edgeToSuggest
        guard edge != suggestion.edge else { return [] }
        suggestion.edge = edge
        if edge != nil { return [.startTimer(.suggestion, after: OrientationState.suggestionDelay)] }
        defer { suggestion.isShown = false }
        return [.stopTimer(.suggestion)] + (suggestion.isShown ? [.withdrawSuggestion] : [])
    }

    /// The device was held long enough.
    mutating func suggest() -> [Effect] {
        suggestion.isShown = suggestion.edge != nil
        return suggestion.isShown ? [.showSuggestion] : []
    }

    /// The suggestion could not be shown. The first failure is reported.
    mutating func suggestionFailed(_ reason: String) -> [Effect] {
        let isReported = reported.contains { $0.kind == .suggestionFailed }
        return suggestionAnswered(isAccepted: false) + (isReported ? [] : once(.suggestionFailed(reason)))
    }

    /// The user accepted the suggestion, or the notification has disappeared.
    mutating func suggestionAnswered(isAccepted: Bool) -> [Effect] {
        guard suggestion.isShown, let edge = suggestion.edge else { return [] }
        suggestion.isShown = false
        guard isAccepted else { return [] }
        return [.stopTimer(.suggestion), .withdrawSuggestion, .lock(Edge(edge, natural: natural))]
    }
}
