// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

extension Check {
    /// Whether the user's rotation lock is closed: the commonest reason of all.
    static let lock = Check("lock") { facts in
        guard let state = facts.daemon.state else { return [] }
        guard state.isLocked else { return [.ok("the rotation lock is open")] }
        let edge = state.lockedTo.map { " at \($0)" } ?? ""
        return [
            .note(
                "the rotation lock is closed\(edge)", "Your screen does not turn because it is locked",
                mend: "orientationctl unlock")
        ]
    }
}
