// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import OrientationModel
internal import Posix

/// A message of the agent for its user.
struct AgentMessage: Hashable, Sendable, CustomStringConvertible {
    enum Kind: String, Sendable {
        // Which output rotates, or why none does.
        case output, noOutput, outputDisabled, outputFlipped
        case rotated, rotatedByHand, reset, failed, gaveUp, inputAdvice, laptop
        case daemonLost, daemonRefused, daemonConnected, suggestionFailed
        case appsUnknown, invalidDesktopFile, notServing
        case displayLost, displayFound
        // The agent exits after it.
        case displayEnded
    }

    /// The name in JSON.
    let kind: Kind
    /// The output and the transform that it is about, if any.
    var output: String?
    var transform: OutputTransform?
    var text: String

    var description: String { text }

    /// Whether the user has to act, or should know that something does not work.
    var isWarning: Bool {
        [
            .noOutput, .outputFlipped, .failed, .gaveUp, .inputAdvice, .daemonLost, .daemonRefused, .suggestionFailed,
            .invalidDesktopFile, .notServing, .displayLost,
        ].contains(kind)
    }

    /// Whether it says which output rotates, or why none does.
    var isStatus: Bool { kind == .output || isObstacle }

    /// Whether no output rotates.
    var isObstacle: Bool { [.noOutput, .outputDisabled, .outputFlipped].contains(kind) }
}

extension AgentMessage {
    // MARK: Outputs

    /// A message about an output, whose name begins the text.
    private static func about(
        _ output: String, _ kind: Kind, in transform: OutputTransform? = nil, _ text: String
    ) -> Self {
        Self(kind: kind, output: output, transform: transform, text: "\(output): \(text)")
    }

    /// This output rotates. `waiting`: what it waits for; nil while it follows the device.
    static func chosen(_ output: InternalOutput, waiting: String?, isDryRun: Bool = false) -> Self {
        let following = isDryRun ? "would follow the device (--dry-run)" : "follows the device"
        return about(output.name, .output, "\(waiting.map { "waits for \($0)" } ?? following) (\(output.why))")
    }

    /// The report with what the display needs now.
    func adding(_ need: String?) -> Self {
        guard let need else { return self }
        return Self(kind: kind, output: output, transform: transform, text: "\(text); it \(need)")
    }

    /// No output rotates: `option` names none, or no internal one is connected.
    static func noOutput(option: String?, outputs: [String]) -> Self {
        let text =
            option.map { "--output \($0): not found; connected outputs: \(list(outputs))" }
            ?? "no internal output (eDP, LVDS, DSI or DPI); connected outputs: \(list(outputs)); to rotate one of them, "
            + "pass its name in --output"
        return Self(kind: .noOutput, text: text)
    }

    /// The output shows nothing.
    static func disabled(_ output: String) -> Self {
        about(output, .outputDisabled, "disabled; rotates when it is enabled")
    }

    /// The picture of the output is mirrored.
    static func flipped(_ output: String, _ transform: OutputTransform) -> Self {
        about(
            output, .outputFlipped, in: transform,
            "mirrored (transform \(transform)): cannot rotate it; configure a transform that is not flipped")
    }

    // MARK: Rotations

    static func rotated(_ output: String, _ transform: OutputTransform, isDryRun: Bool) -> Self {
        about(
            output, .rotated, in: transform,
            isDryRun
                ? "would rotate to \(transform.text) (--dry-run)"
                : "\(transform == .normal ? "returned" : "rotated") to \(transform.text)")
    }

    static func rotatedByHand(_ output: String, _ transform: OutputTransform) -> Self {
        about(
            output, .rotatedByHand, in: transform,
            "set to \(transform.text) by another program; keeps this until the device is turned")
    }

    static func reset(_ output: String, _ transform: OutputTransform) -> Self {
        about(output, .reset, in: transform, "reset to \(transform.text) by another program; rotating back once")
    }

    /// A reload of the display server ends the rotation of another program.
    static func reloaded(_ output: String, _ transform: OutputTransform) -> Self {
        about(
            output, .reset, in: transform,
            "the display server reloaded its configuration; rotating back from \(transform.text), which another program "
                + "set")
    }

    /// The device counts as a laptop without a tablet switch, for this reason.
    static func laptop(_ output: String, _ reason: String) -> Self {
        about(output, .laptop, "does not rotate: \(reason); \(Obstacle.remedy)")
    }

    static func failed(_ output: String, _ transform: OutputTransform, _ reason: String) -> Self {
        about(output, .failed, in: transform, "cannot rotate to \(transform.text): \(reason)")
    }

    static func gaveUp(_ output: String, _ transform: OutputTransform) -> Self {
        about(
            output, .gaveUp, in: transform,
            "gave up rotating to \(transform.text) after \(AutorotatePolicy.maximumAttempts) attempts; retrying when the "
                + "device is turned")
    }

    static func inputAdvice(_ text: String) -> Self { Self(kind: .inputAdvice, text: text) }

    // MARK: The daemon, apps, the display server

    static func daemonLost(_ reason: String) -> Self {
        Self(
            kind: .daemonLost, text: "orientationd: not connected: \(reason); the display keeps its rotation; retrying")
    }

    static func daemonRefused(_ reason: String) -> Self {
        Self(kind: .daemonRefused, text: "\(reason); the display keeps its rotation")
    }

    static let daemonFound = Self(kind: .daemonConnected, text: "orientationd: connected")

    /// A suggestion was not shown; the reason.
    static func suggestionFailed(_ reason: String) -> Self {
        Self(kind: .suggestionFailed, text: "cannot suggest a rotation: \(reason)")
    }

    /// An accepted suggestion has not set the rotation lock; the reason.
    static func lockFailed(_ reason: String) -> Self {
        Self(kind: .suggestionFailed, text: "cannot lock the rotation: \(reason)")
    }

    /// The display server does not report the window in front; the reason.
    static func appsUnknown(_ reason: String) -> Self { Self(kind: .appsUnknown, text: reason) }

    /// A desktop file has an invalid line.
    static func invalidDesktopFile(_ message: String) -> Self {
        Self(kind: .invalidDesktopFile, text: message)
    }

    /// Apps cannot call the agent; the reason.
    static func notServing(_ reason: String) -> Self {
        Self(kind: .notServing, text: "\(reason); apps cannot hold an orientation")
    }

    static func displayEnded(_ reason: String) -> Self { Self(kind: .displayEnded, text: "display server: \(reason)") }

    static func displayLost(_ reason: String) -> Self {
        Self(kind: .displayLost, text: "display server: \(reason); retrying")
    }

    /// The connection lost for this reason is restored.
    static func displayFound(_ reason: String) -> Self {
        Self(kind: .displayFound, text: "display server: \(reason); connected again")
    }

    /// The names that a message lists; the rest is counted.
    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.listed(atMost: 6)
    }
}

extension InternalOutput {
    /// The reason of the choice in a message, with the other internal panels.
    var why: String {
        switch reason {
        case .option: (["named by --output"] + companions.map { "\($0) turns with it" }).joined(separator: "; ")
        case .internalConnector:
            (["internal connector"]
                + others.map {
                    "\($0), internal too, does not rotate: to rotate both as one body, pass --output \(name),\($0)"
                })
                .joined(separator: "; ")
        case .onlyOutput: "the only output"
        }
    }
}

extension OutputTransform {
    /// The rotation in a message: `90° counter-clockwise`.
    var text: String {
        edge?.rotationText ?? "\(rotation)°, mirrored"
    }
}
