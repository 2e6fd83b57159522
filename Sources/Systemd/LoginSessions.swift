// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

/// What systemd-logind knows of users.
package nonisolated enum LoginSessions {
    /// Whether the user has an active session on a seat, that is, sits at the machine; false where there is no logind.
    package static func hasActiveSeat(user: UInt32) -> Bool {
        sd_uid_get_seats(user, 1, nil) > 0
    }
}
