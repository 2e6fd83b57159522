// SPDX-License-Identifier: Apache-2.0

/// The cause of a decision.
public enum OrientationCause: Hashable, Sendable {
    /// The device was turned to another edge, or its orientation is overridden.
    case deviceTurned
    /// The user turned the rotation lock off.
    case lockTurnedOff
    /// The user turned the rotation lock on, or to another edge. No decision: it explains why the device is not followed.
    case lockTurnedOn
    /// The window does not cover its screen. No decision: it explains why the device is not followed.
    case screenNotCovered
    /// A window got its root view controller, or is shown for the first time.
    case rootSet
    /// A view controller that covers the window was presented.
    case presented
    /// A view controller that covered the window was dismissed.
    case dismissed
    /// A page was pushed.
    case pushed
    /// A page was popped.
    case popped
    /// Another tab was selected.
    case tabSelected
    /// A child was added to a container, or replaced.
    case childAdded
    /// A child was removed from a container.
    case childRemoved
    /// The window became the key window, or visible again.
    case windowMadeKey
    /// A controller, the delegate or the device mask has a new answer.
    case answersChanged
    /// The program requests one of these orientations.
    case requested(InterfaceOrientationMask)

    /// Whether something new is shown. An error is then thrown to the caller, and nothing has changed.
    public var isArrival: Bool {
        switch self {
        case .rootSet, .presented, .pushed, .tabSelected, .childAdded, .windowMadeKey: true
        case .dismissed, .popped, .childRemoved, .deviceTurned, .lockTurnedOff, .lockTurnedOn, .screenNotCovered,
            .answersChanged, .requested:
            false
        }
    }

    /// Whether content is revealed that was covered or not selected. The edge is then followed.
    package var reveals: Bool {
        switch self {
        case .rootSet, .dismissed, .popped, .tabSelected, .childRemoved, .windowMadeKey: true
        case .presented, .pushed, .childAdded, .deviceTurned, .lockTurnedOff, .lockTurnedOn, .screenNotCovered,
            .answersChanged, .requested:
            false
        }
    }

    /// Whether something arrives that does not turn an interface whose orientation it allows (R21).
    var keepsAllowed: Bool { self == .presented || self == .pushed || self == .childAdded }

    /// Whether only the device caused the decision.
    package var isTurnOfTheDevice: Bool { self == .deviceTurned || self == .lockTurnedOff }

    /// The words after "because" in an explanation.
    var phrase: String {
        switch self {
        case .deviceTurned: "the device was turned"
        case .lockTurnedOff: "the rotation lock was turned off"
        case .lockTurnedOn: "the rotation lock was turned on"
        case .screenNotCovered: "the window does not cover its screen"
        case .rootSet: "the window got its root view controller"
        case .presented: "a view controller was presented"
        case .dismissed: "a view controller was dismissed"
        case .pushed: "a page was pushed"
        case .popped: "a page was popped"
        case .tabSelected: "another tab was selected"
        case .childAdded: "a child was added"
        case .childRemoved: "a child was removed"
        case .windowMadeKey: "the window came to the front"
        case .answersChanged: "an answer changed"
        case .requested(let mask): "the program requested \(mask)"
        }
    }
}
