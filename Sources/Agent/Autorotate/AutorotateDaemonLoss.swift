// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import OrientationModel

// A daemon that is lost, refuses the agent, or sends nothing.

extension AutorotatePolicy {
    mutating func handleLoss(_ reason: String) -> [Effect] {
        isDaemonLost = true
        delayed = nil
        // The failed attempts to connect again are not reported.
        let report = reported.contains(where: \.isDaemonLost) ? [] : once(.daemonLost(reason))
        return [.stopTimer(.delay)] + report + daemonIsMissing()
    }

    /// Without a daemon the orientation of the device is unknown, so only the apps' restrictions apply.
    mutating func daemonIsMissing() -> [Effect] {
        isDaemonMissing = true
        return settled == nil ? decide(apps.isRestricting ? .deviceUnknown : nil) : []
    }

    /// Reports a daemon that accepted the connection and sends nothing. Other failures have been reported.
    mutating func firstStateTimedOut() -> [Effect] {
        guard isFollowing, state == nil, !isDaemonLost, !reported.contains(where: \.isDaemonRefusal) else { return [] }
        isDaemonLost = true
        return once(.daemonSilent) + daemonIsMissing()
    }
}
