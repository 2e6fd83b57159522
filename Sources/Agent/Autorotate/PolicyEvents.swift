// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import OrientationModel

extension AutorotatePolicy {
    enum Event: Hashable, Sendable {
        case display(DisplayEvent)
        /// The connection to the display server has ended, and the server runs.
        case displayLost(reason: String)
        case state(OrientationState)
        /// The chassis, if it may be a laptop's, at the start and after each change of its keyboards.
        case chassis(Chassis?)
        /// The connection to the daemon was lost, and is tried again.
        case daemonLost(reason: String)
        /// The daemon cannot be used, and is not tried again.
        case daemonRefused(reason: String)
        /// A timer that ``Effect/startTimer(_:after:)`` started.
        case timer(Timer)
        /// The desktop file of a window, or nil if it has none: the reply to ``Effect/findApp(_:)``.
        case app(AppDeclaration?, window: FrontWindow)
        /// A desktop file has an invalid line; the message.
        case invalidDesktopFile(String)
        /// All holds, oldest first.
        case holds([OrientationHold])
        /// The user accepted the suggestion, or the notification has disappeared.
        case suggestionAnswered(isAccepted: Bool)
        /// The suggestion could not be shown; the reason.
        case suggestionFailed(String)
        /// The lock of an accepted suggestion could not be set; the reason.
        case lockFailed(String)
        /// The agent must exit.
        case end
    }

    /// What the agent performs, in this order.
    enum Effect: Hashable, Sendable {
        /// Apply a configuration of all outputs.
        case apply([Output])
        /// Map touch screens and pens to this output.
        case alignInput(Output)
        /// Open the display server again: its outputs follow, or another ``Event/displayLost(reason:)`` or the end.
        case reopenDisplay
        /// Connect to the daemon, or disconnect from it, which lets the daemon stop the sensor.
        case follow(Following)
        /// Start or restart a timer; the delay is in seconds.
        case startTimer(Timer, after: Double)
        case stopTimer(Timer)
        /// Run the command of `--exec`; the output has the transform now.
        case runCommand(
            OrientationState, previous: OrientationState?, output: String, transform: OutputTransform)
        case report(AgentMessage)
        /// Find the desktop file of a window; ``Event/app(_:window:)`` follows.
        case findApp(FrontWindow)
        /// Save the transform from before the first rotation: the next agent restores it if this one crashes.
        case writeRestoreRecord(SavedTransform)
        /// Show the suggestion, or show it again; ``Event/suggestionAnswered(isAccepted:)`` follows.
        case showSuggestion
        case withdrawSuggestion
        /// Set the rotation lock to an edge.
        case lock(Edge)
        /// Nothing is left to restore.
        case removeRestoreRecord
        case exit
    }

    /// What the agent subscribes to.
    enum Following: Hashable, Sendable {
        case nothing
        /// The rotation lock and the tablet mode: of the sensors at most those of the lid angle run.
        case lock
        case device
    }

    enum Timer: Hashable, Sendable, CaseIterable {
        /// The wait for the result of a configuration.
        case result
        /// The next attempt after a failed configuration.
        case retry
        /// The end of the wait for the last configuration.
        case exit
        /// The next attempt to open the display server.
        case reopen
        /// The time in which windows follow a rotation.
        case windows
        /// The time for which the device is held before a suggestion.
        case suggestion
    }
}
