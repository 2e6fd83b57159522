// SPDX-License-Identifier: Apache-2.0

/// What made the engine look at the orientation again.
public enum OrientationCause: Hashable, Sendable {
    /// The device is held on another edge, or somebody overrides how it seems to be held.
    case deviceTurned
    /// The user opened the rotation lock.
    case lockOpened
    /// The user closed the rotation lock. It turns nothing and asks nobody; it explains why the device is not followed.
    case lockClosed
    /// A window got its root view controller, or is shown for the first time.
    case rootSet
    /// A view controller that covers the window was presented.
    case presented
    /// One that covered the window was dismissed.
    case dismissed
    /// A page was pushed.
    case pushed
    /// A page was popped.
    case popped
    /// Another tab was selected.
    case tabSelected
    /// A container got a child, or another one in its place.
    case childAdded
    /// A container lost a child.
    case childRemoved
    /// The window became the key window, or came back into sight.
    case windowMadeKey
    /// Somebody who is asked has a new answer.
    case changedMind
    /// The program asks for one of these orientations.
    case requested(InterfaceOrientationMask)

    /// Something comes on screen that was not there, so the caller hears of an error and nothing has happened.
    public var isArrival: Bool {
        switch self {
        case .rootSet, .presented, .pushed, .tabSelected, .childAdded, .windowMadeKey: true
        case .dismissed, .popped, .childRemoved, .deviceTurned, .lockOpened, .lockClosed, .changedMind, .requested:
            false
        }
    }

    /// What was beneath or beside comes to light, so that the way the device is held counts again.
    var reveals: Bool {
        switch self {
        case .rootSet, .dismissed, .popped, .tabSelected, .childRemoved, .windowMadeKey: true
        case .presented, .pushed, .childAdded, .deviceTurned, .lockOpened, .lockClosed, .changedMind, .requested: false
        }
    }

    /// The device alone caused it: no program waits for an answer.
    var isTurnOfTheDevice: Bool { self == .deviceTurned || self == .lockOpened }

    /// In a sentence, after "because".
    var phrase: String {
        switch self {
        case .deviceTurned: "the device was turned"
        case .lockOpened: "the rotation lock was opened"
        case .lockClosed: "the rotation lock was closed"
        case .rootSet: "the window got its root view controller"
        case .presented: "a view controller was presented"
        case .dismissed: "a view controller was dismissed"
        case .pushed: "a page was pushed"
        case .popped: "a page was popped"
        case .tabSelected: "another tab was selected"
        case .childAdded: "a child was added"
        case .childRemoved: "a child was removed"
        case .windowMadeKey: "the window came to the front"
        case .changedMind: "somebody changed an answer"
        case .requested(let mask): "the program requested \(mask)"
        }
    }
}
