// SPDX-License-Identifier: Apache-2.0

package import Displays

/// A message of the agent for its user.
package enum Report: Hashable, Sendable {
    /// This output rotates.
    case chosen(InternalOutput)
    /// No output rotates: `option` names none, or no internal one is connected.
    case noOutput(option: String?, outputs: [String])
    /// The output shows nothing.
    case disabled(String)
    /// The picture of the output is mirrored.
    case flipped(String, OutputTransform)
    /// The desktop rotates the display by itself.
    case rotatedElsewhere(String)
    case rotated(String, OutputTransform, isDryRun: Bool)
    case rotatedByHand(String, OutputTransform)
    case failed(String, OutputTransform, String)
    case gaveUp(String, OutputTransform)
    case inputAdvice(String)
    case daemonLost(String)
    case daemonRefused(String)
    /// The daemon has sent no first state.
    case daemonSilent
    case daemonFound
    /// The display server does not report the window in front; the reason.
    case appsUnknown(String)
    /// A desktop file has an invalid line.
    case invalidDesktopFile(String)
    /// Apps cannot call the agent; the reason.
    case notServing(String)
    case displayEnded(String)
    case displayLost(String)

    /// Whether it says which output rotates, or why none does.
    var isStatus: Bool {
        switch self {
        case .chosen, .noOutput, .disabled, .flipped, .rotatedElsewhere: true
        default: false
        }
    }

    /// Whether no output rotates.
    var isObstacle: Bool { if case .chosen = self { false } else { isStatus } }

    var isFailure: Bool { if case .failed = self { true } else { false } }

    /// Whether the next state of the daemon resolves it.
    var isDaemonLoss: Bool {
        switch self {
        case .daemonLost, .daemonSilent: true
        default: false
        }
    }

    var isDaemonLost: Bool { if case .daemonLost = self { true } else { false } }

    var isDaemonRefusal: Bool { if case .daemonRefused = self { true } else { false } }

    /// Whether the agent exits after it.
    var isLast: Bool {
        switch self {
        case .displayEnded, .displayLost: true
        default: false
        }
    }

    /// Whether the user has to act, or should know that something does not work.
    package var isWarning: Bool {
        switch self {
        case .noOutput, .flipped, .failed, .gaveUp, .inputAdvice, .daemonLost, .daemonRefused, .daemonSilent,
            .displayLost,
            .invalidDesktopFile, .notServing:
            true
        default: false
        }
    }

    /// The name in JSON.
    package var name: String {
        switch self {
        case .chosen: "output"
        case .noOutput: "noOutput"
        case .disabled: "outputDisabled"
        case .flipped: "outputFlipped"
        case .rotatedElsewhere: "rotatedElsewhere"
        case .rotated: "rotated"
        case .rotatedByHand: "rotatedByHand"
        case .failed: "failed"
        case .gaveUp: "gaveUp"
        case .inputAdvice: "inputAdvice"
        case .daemonLost: "daemonLost"
        case .daemonRefused: "daemonRefused"
        case .daemonSilent: "daemonSilent"
        case .daemonFound: "daemonConnected"
        case .appsUnknown: "appsUnknown"
        case .invalidDesktopFile: "invalidDesktopFile"
        case .notServing: "notServing"
        case .displayEnded: "displayEnded"
        case .displayLost: "displayLost"
        }
    }

    /// The output and the transform that it is about, if any.
    package var subject: (output: String, transform: OutputTransform?)? {
        switch self {
        case .chosen(let output): (output.name, nil)
        case .disabled(let output): (output, nil)
        case .flipped(let output, let transform), .rotated(let output, let transform, _),
            .rotatedByHand(let output, let transform), .failed(let output, let transform, _),
            .gaveUp(let output, let transform):
            (output, transform)
        default: nil
        }
    }
}

extension Report: CustomStringConvertible {
    /// The message on one line.
    package var description: String {
        switch self {
        case .chosen(let output): "\(output.name): rotates with the device (\(output.reason.text))"
        case .noOutput(let option?, let outputs):
            "--output \(option): not found; connected outputs: \(Self.list(outputs))"
        case .noOutput(nil, let outputs):
            "no internal output (eDP, LVDS, DSI or DPI); connected outputs: \(Self.list(outputs)); to rotate one of them, "
                + "pass its name in --output"
        case .disabled(let output): "\(output): disabled; rotates when it is enabled"
        case .flipped(let output, let transform):
            "\(output): mirrored (transform \(transform)): not rotated; configure a transform that is not flipped"
        case .rotatedElsewhere(let program):
            "\(program) rotates the display itself: nothing to do; to rotate it anyway, pass --force"
        case .rotated(let output, let transform, false): "\(output): rotated to \(transform.text)"
        case .rotated(let output, let transform, true): "\(output): would rotate to \(transform.text) (--dry-run)"
        case .rotatedByHand(let output, let transform):
            "\(output): set to \(transform.text) by another program; keeps it until the device is turned"
        case .failed(let output, let transform, let reason):
            "\(output): cannot rotate to \(transform.text): \(reason)"
        case .gaveUp(let output, let transform):
            "\(output): gave up the rotation to \(transform.text) after \(AutorotatePolicy.maximumAttempts) attempts; the next "
                + "turn of the device tries again"
        case .inputAdvice(let text): text
        case .daemonLost(let reason):
            (reason.hasPrefix("orientationd: ") ? "" : "orientationd: not connected: ")
                + "\(reason); the display keeps its rotation; retrying"
        case .daemonRefused(let reason): "\(reason); the display keeps its rotation"
        case .daemonSilent:
            "orientationd: timed out: no state received; the daemon or its sensor may hang; still waiting; see "
                + "'orientationctl doctor'"
        case .daemonFound: "orientationd: connected"
        case .displayEnded(let reason), .displayLost(let reason): "display server: \(reason)"
        case .appsUnknown(let reason), .invalidDesktopFile(let reason): reason
        case .notServing(let reason): "\(reason); apps cannot hold an orientation"
        }
    }

    /// The names that a message lists; the rest is counted.
    private static func list(_ names: [String]) -> String {
        let limit = 6
        if names.isEmpty { return "none" }
        let shown = names.prefix(limit).joined(separator: ", ")
        return names.count > limit ? "\(shown) and \(names.count - limit) more" : shown
    }
}

extension InternalOutput.Reason {
    /// The reason in a message.
    package var text: String {
        switch self {
        case .option: "named by --output"
        case .internalConnector: "internal connector"
        case .onlyOutput: "the only output"
        }
    }
}

extension OutputTransform {
    /// The rotation in a message: `90°`, or `0° (not rotated)`.
    package var text: String {
        let mirrored = isFlipped ? ", mirrored" : ""
        return self == .normal ? "0° (not rotated)" : "\(rotation)°\(mirrored)"
    }
}
