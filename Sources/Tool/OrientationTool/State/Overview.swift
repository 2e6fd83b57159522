// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel
import Posix

/// What `orientationctl` prints without a command: the state, and the commands that a user needs next.
struct Overview {
    /// The state; nil if the daemon did not reply.
    let state: OrientationState?
    /// What installs or starts the session agent, where the display needs it.
    var missingAgent: String?
    /// Why the display does not turn now.
    var laptopNote: String?
    /// Whether the user may move a simulated device.
    var maySimulate = true
    /// The command that makes the daemon reachable, if it is known.
    var start: String?
    /// The desktop that rotates the display itself, which has a rotation lock of its own; nil elsewhere.
    var desktop = SessionDisplay.rotatingDesktop

    var next: [(command: String, purpose: String)] {
        let report = ("sudo orientationctl doctor --report FILE", "Write the form of a bug report")
        guard let state else {
            return [own(Doctor.self), start.map { ($0, "Start the daemon") } ?? own(Display.self), report]
        }
        guard let sensor = state.sensor else { return [own(Doctor.self), own(Sensors.self), report] }
        if state.isLocked { return [own(Unlock.self), own(Watch.self), own(Display.self)] }
        if sensor.hasPrefix("fake:") {
            let move = ("orientationctl simulate turn POSE", "Turn the device")
            return [
                maySimulate ? move : own(Doctor.self), own(Watch.self), own(desktop == nil ? Lock.self : Display.self),
            ]
        }
        if let missingAgent {
            return [(missingAgent, "Turn this display with the device"), own(Doctor.self), own(Watch.self)]
        }
        return [
            own(Watch.self), own(Display.self),
            ("sudo orientationctl calibrate --write", "Fix a picture that turns the wrong way"),
        ]
    }

    private func own(_ command: any ParsableCommand.Type) -> (String, String) {
        ("orientationctl \(command._commandName)", command.configuration.abstract)
    }

    /// The state, above the commands.
    static func head(_ state: OrientationState) -> String {
        "\(state.line)\nsensor: \(state.sensor?.replacingControls() ?? "none in use")\n"
    }

    /// Why the display does not turn now, and the next commands.
    var text: String {
        let note = laptopNote.map { [$0, ""] } ?? []
        let next = next
        let width = (next.map(\.command.count).max() ?? 0) + 3
        let commands = next.map { "  \($0.command.padded(to: width))\($0.purpose)" }
        return (note + ["Next:"] + commands + ["", "'orientationctl --help' lists all commands."]).joined(
            separator: "\n")
    }
}
