// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire

/// What rotates the display of the caller's graphical session.
enum DisplayFacts: Hashable {
    /// The caller has no graphical session.
    case noSession
    /// The caller is root and has none, but another user may have one.
    case notChecked
    /// The program that lists the outputs, orientation-autorotate, is not installed; the desktop's name from
    /// `XDG_CURRENT_DESKTOP`, if any, and whether it is known not to rotate the display.
    case notInstalled(desktop: String?, isNeeded: Bool)
    /// The outputs cannot be listed.
    case failed(String)
    case listed(Session)

    /// Whether the running agent rotates the display in every mode of the device.
    var rotatesAlways: Bool {
        guard case .listed(let session) = self else { return false }
        return session.agent != nil && session.agentRotates && session.agentOptions.value(of: "--when") == "always"
    }

    /// Returns a note if laptop mode keeps the display from turning, by the switch, or for the running agent by a keyboard.
    func laptopNote(_ state: OrientationState) -> String? {
        var isKept = state.tabletMode == false
        if case .listed(let session) = self, session.agent != nil { isKept = session.obstacleKind == .laptop }
        return isKept ? "In laptop mode the display does not turn; 'orientationctl display' says why." : nil
    }

    /// The desktop that rotates the display itself; nil if none is known.
    var desktop: String? { if case .listed(let session) = self { session.desktop } else { nil } }

    /// What installs or starts the agent, where a display that does not rotate by itself lacks it.
    func missingAgent(_ autostart: @autoclosure () -> Autostart) -> String? {
        switch self {
        case .notInstalled: Fix.installAgent
        case .listed(let session) where session.desktop == nil && session.agent == nil && session.output != nil:
            autostart().now.command
        case .noSession, .notChecked, .failed, .listed: nil
        }
    }

    /// A session whose outputs were listed.
    struct Session: Hashable {
        var server: String
        /// The desktop that rotates the display itself; nil if none does.
        var desktop: String?
        /// The process id of the running agent; nil without one.
        var agent: Int?
        var agentOptions: [String] = []
        /// Whether the running agent rotates the display: not with --dry-run or --when never.
        var agentRotates: Bool = true
        var outputs: [String] = []
        /// The output that rotates, and why; nil if none is chosen.
        var output: String?
        var reason: String?
        /// Whether that output is mirrored, which the agent does not rotate.
        var isMirrored: Bool = false
        /// Why the running agent could not rotate that output; nil if it could.
        var failure: String?
        /// Why that output does not rotate with the device now, as in laptop mode; nil if it does.
        var obstacle: String?
        /// The kind of an obstacle that the running agent states.
        var obstacleKind: ObstacleKind?
        /// The rotation of that output in degrees, counter-clockwise, and why it has it; nil without a running agent.
        var rotation: Int?
        var sentence: String?
    }
}
