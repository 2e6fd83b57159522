// SPDX-License-Identifier: Apache-2.0

/// What rotates the display of the caller's graphical session.
package enum DisplayFacts: Hashable, Sendable {
    /// The caller has no graphical session.
    case noSession
    /// The program that lists the outputs, orientation-autorotate, is not installed; the desktop's name from
    /// `XDG_CURRENT_DESKTOP`, if any.
    case notInstalled(desktop: String?)
    /// The outputs cannot be listed.
    case failed(String)
    case listed(Session)

    /// A session whose outputs were listed.
    package struct Session: Hashable, Sendable {
        /// The name of the display server.
        package var server: String
        /// The desktop that rotates the display itself; nil if none does.
        package var desktop: String?
        /// The process id of the running agent; nil without one.
        package var agent: Int?
        /// The options of the running agent.
        package var agentOptions: [String]
        /// Whether the running agent rotates the display: not with --dry-run or --when never.
        package var agentRotates: Bool
        /// The output that rotates, and why; nil if none is chosen.
        package var output: String?
        package var reason: String?
        /// The rotation of that output, in degrees, counter-clockwise.
        package var rotation: Int?
        /// Whether that output is mirrored, which the agent does not rotate.
        package var isMirrored: Bool
        /// Why the running agent could not rotate that output; nil if it could.
        package var failure: String?

        package init(
            server: String, desktop: String? = nil, agent: Int? = nil, agentOptions: [String] = [],
            agentRotates: Bool = true, output: String? = nil, reason: String? = nil, rotation: Int? = nil,
            isMirrored: Bool = false, failure: String? = nil
        ) {
            self.server = server
            self.desktop = desktop
            self.agent = agent
            self.agentOptions = agentOptions
            self.agentRotates = agentRotates
            self.output = output
            self.reason = reason
            self.rotation = rotation
            self.isMirrored = isMirrored
            self.failure = failure
        }
    }
}
