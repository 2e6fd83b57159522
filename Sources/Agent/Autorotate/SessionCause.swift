// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import OrientationModel
internal import OrientationRules
internal import Posix

/// What changed in the session, which causes a decision: in the terms of `OrientationRules`, and in the words of the sentence.
struct SessionCause: Hashable, Sendable {
    let rules: OrientationCause
    /// The words after "because".
    let phrase: String

    // MARK: The device

    /// The device was turned, or its lock has changed. `former` is nil for the first state.
    static func device(from former: OrientationState?, to state: OrientationState) -> SessionCause {
        guard !state.isLocked else {
            let phrase =
                switch former {
                case let former? where !former.isLocked: "the rotation lock was turned on"
                case let former? where former.lockedTo != state.lockedTo: "the locked edge changed"
                default: "the rotation lock is on"
                }
            return SessionCause(rules: .lockTurnedOn, phrase: phrase)
        }
        if former?.isLocked == true {
            return SessionCause(rules: .lockTurnedOff, phrase: "the rotation lock was turned off")
        }
        let phrase =
            if former?.tabletMode == false, state.tabletMode == true {
                "tablet mode began"
            } else if [state.orientation, former?.orientation ?? .unknown].contains(.unknown) {
                first(state).phrase
            } else {
                "the device was turned"
            }
        return SessionCause(rules: .deviceTurned, phrase: phrase)
    }

    /// The first state asks for no rotation, but an app may.
    static func first(_ state: OrientationState) -> SessionCause {
        state.orientation == .unknown
            ? .deviceUnknown
            : SessionCause(rules: .windowMadeKey, phrase: "the orientation of the device became known")
    }

    /// The daemon knows no orientation, or there is no daemon, and apps are asked.
    static let deviceUnknown = SessionCause(
        rules: .windowMadeKey, phrase: "the orientation of the device is unknown")
    /// An output was added or removed, or the one that rotates has another mode.
    static let outputsChanged = SessionCause(rules: .answersChanged, phrase: "the outputs changed")

    // MARK: Apps

    /// Another window, or none, is in front.
    static func front(_ window: FrontWindow?) -> SessionCause {
        let phrase = window.map { "\($0.sentenceName) came to the front" }
        return SessionCause(
            rules: .windowMadeKey, phrase: phrase ?? "no window is in front on this display")
    }

    /// The window in front declares other orientations than before, or its declaration counts as it did not before.
    static func declaration(_ file: String?, from old: FrontWindow, to new: FrontWindow) -> SessionCause {
        let phrase =
            if old.state != new.state {
                "\(new.sentenceName) \(new.state.phrase(after: old.state))"
            } else if old.appID != new.appID {
                "the window in front is now one of \(new.sentenceName)"
            } else {
                "\(file ?? "the desktop file of \(new.sentenceName)") changed"
            }
        return SessionCause(rules: .windowMadeKey, phrase: phrase)
    }

    /// Other holds apply than before.
    static func holds(from old: [OrientationHold], to new: [OrientationHold]) -> SessionCause {
        let (former, latest) = (Set(old.map(\.id)), Set(new.map(\.id)))
        let hasBegun = !latest.isSubset(of: former), hasEnded = !former.isSubset(of: latest)
        // A further call of a connection replaces its hold by a new one.
        if hasBegun == hasEnded { return SessionCause(rules: .answersChanged, phrase: "a hold changed") }
        if hasBegun { return SessionCause(rules: .answersChanged, phrase: "a hold began") }
        // What was in front before the hold returns; the remaining holds are evaluated again.
        return SessionCause(rules: new.isEmpty ? .dismissed : .answersChanged, phrase: "a hold ended")
    }
}

extension FrontWindow {
    fileprivate var sentenceName: String { appID?.replacingControls() ?? "a window without an app ID" }
}

extension FrontWindow.State {
    fileprivate func phrase(after former: FrontWindow.State) -> String {
        switch self {
        case .fullscreen: "entered full screen"
        case .maximized where former == .normal: "was maximized"
        case .maximized, .normal: former == .fullscreen ? "left full screen" : "is no longer maximized"
        }
    }
}
