// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import OrientationModel

/// The connection to the daemon. While it is unused, late events of a former connection are ignored.
enum DaemonLink: Sendable {
    /// No display rotates with the device.
    case unused
    /// No state has been received yet.
    case awaited
    case following
    /// The daemon has refused the agent, and is not tried again.
    case refused
    /// The connection is tried again.
    case lost

    /// Whether no states arrive: the explanation says so, and if none has been received, only the apps' restrictions apply.
    var isMissing: Bool { [.refused, .lost].contains(self) }
}

extension AutorotatePolicy {
    /// Connects to the daemon only while there is a display to rotate that shows a picture, and lets the sensor stop while
    /// the rotation lock is on.
    mutating func follow() -> [Effect] {
        let body = selection.body
        let isVisible = outputs.contains { body.contains($0.name) && $0.isEnabled && !dark.contains($0.name) }
        let needsSensor = settings.suggests || !device.isLocked
        let wanted: Following = settings.when == .never || !isVisible ? .nothing : needsSensor ? .device : .lock
        guard wanted != following else { return [] }
        if following == .nothing { daemon = .awaited }
        following = wanted
        if wanted == .nothing {
            daemon = .unused
            // The device may be turned before the next state arrives.
            device.forget()
            request.clear()
        }
        return [.follow(wanted)]
    }

    mutating func daemonLost(_ reason: String) -> [Effect] {
        guard daemon != .unused else { return [] }
        daemon = .lost
        // The failed attempts to connect again are not reported.
        let report = reported.contains { $0.kind == .daemonLost } ? [] : once(.daemonLost(reason))
        return report + daemonIsMissing()
    }

    mutating func daemonRefused(_ reason: String) -> [Effect] {
        guard daemon != .unused else { return [] }
        daemon = .refused
        return once(.daemonRefused(reason)) + daemonIsMissing()
    }

    private mutating func daemonIsMissing() -> [Effect] {
        device.settled == nil ? decide(apps.isRestricting ? .deviceUnknown : nil) : []
    }

    /// Reports that a daemon is found again whose loss was reported.
    mutating func daemonFound() -> [Effect] {
        daemon = .following
        let others = reported.filter { $0.kind != .daemonLost }
        guard others != reported else { return [] }
        reported = others
        return [.report(.daemonFound)]
    }
}
