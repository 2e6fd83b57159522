// SPDX-License-Identifier: Apache-2.0

internal import Displays

enum Ending: Sendable {
    case running
    /// Waits for the result of the pending configuration.
    case waiting
    /// The rotation and the layout from before the start are applied, once.
    case restoring
}

extension AutorotatePolicy {
    mutating func end() -> [Effect] {
        guard ending == .running else { return [.exit] }
        ending = .waiting
        if display.loss != nil { return [.startTimer(.reopen, after: 0), .startTimer(.exit, after: Self.exitTimeout)] }
        return request.pending == nil ? restore() : [.startTimer(.exit, after: Self.exitTimeout)]
    }

    /// Restores the rotation and the layout from before the start, once, and then exits. The restore record stays if they
    /// cannot be restored.
    mutating func restore() -> [Effect] {
        guard let initial else { return [.exit] }
        guard settings.restoresOnExit else { return [.removeRestoreRecord, .exit] }
        guard let output, output.name == initial.output, output.isEnabled, !output.transform.isFlipped else {
            return [.exit]
        }
        if output.transform == initial.transform, !layout.isMisplaced(selection.body, with: initial.transform) {
            return [.removeRestoreRecord, .exit]
        }
        guard ending != .restoring else { return [.exit] }
        ending = .restoring
        return [
            .startTimer(.exit, after: Self.exitTimeout),
            apply(RotationRequest.Attempt(transform: initial.transform), to: output),
        ]
    }
}
