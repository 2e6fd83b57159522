// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// What the daemon itself says.
package struct DaemonFacts: Hashable, Sendable {
    /// Where it was looked for.
    package var socket = ""
    /// Whether something is there.
    package var isSocketThere = false
    /// Why it did not answer, for a person; nil where it did.
    package var failure: String?
    /// Its version; nil where it did not answer.
    package var version: String?
    /// The version of whoever examines.
    package var ownVersion = ""
    package var state: OrientationState?
    package var sensors: [SensorDescription] = []
    /// Nil where the caller may not ask for it.
    package var status: Status?
    /// The questions that it answered with an error, and the errors.
    package var unanswered: [String] = []

    package init() {}

    /// The system's socket; any other is a user's own affair.
    package static let systemSocket = "/run/orientationd/orientationd.sock"

    package var isSystems: Bool { socket == Self.systemSocket }

    package struct Status: Hashable, Sendable {
        /// The source of samples, as it was asked for.
        package var source: String
        /// What went wrong, newest last.
        package var failures: [String]

        package init(source: String, failures: [String] = []) {
            self.source = source
            self.failures = failures
        }
    }
}

/// An event node with a switch that says whether a convertible is a tablet.
package struct TabletSwitchFacts: Hashable, Sendable {
    /// For example `event5`.
    package var node: String
    /// What the device calls itself.
    package var name: String
    /// Whether the node has keys too: such a node is never read.
    package var hasKeys: Bool

    package init(node: String, name: String, hasKeys: Bool = false) {
        self.node = node
        self.name = name
        self.hasKeys = hasKeys
    }
}
