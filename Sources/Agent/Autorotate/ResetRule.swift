// SPDX-License-Identifier: Apache-2.0

internal import Displays

/// Decides whether a transform that another program set is a reset, which the target replaces, or set by hand, which stays.
///
/// A reset is the transform from before the agent's first rotation, or any transform soon after the outputs changed or the
/// display server read its configuration: compositors and display managers then apply their own. A transform that comes
/// back soon after it was replaced stays: a person set it, or a program that would set it again each time.
struct ResetRule: Sendable {
    /// The seconds after a change of the outputs in which any transform is a reset. 5: display managers react within 1 s.
    static let settlingTime = 5.0
    /// The seconds after a replacement in which no transform is a reset.
    static let contestTime = 10.0

    private enum Phase {
        case quiet
        /// The outputs or the configuration changed at this time.
        case settling(Double)
        case replaced(Double)
    }

    private var phase = Phase.quiet

    mutating func outputsChanged(at now: Double) { phase = .settling(now) }

    mutating func replaced(at now: Double) { phase = .replaced(now) }

    /// Returns whether a transform is a reset; `initial` is that from before the agent's first rotation of the output.
    func isReset(_ transform: OutputTransform, initial: OutputTransform?, at now: Double) -> Bool {
        if case .settling(let start) = phase, now < start + Self.settlingTime { return true }
        return transform == initial && !isContested(at: now)
    }

    /// Returns whether a reset was replaced a short time ago.
    func isContested(at now: Double) -> Bool {
        if case .replaced(let time) = phase { now < time + Self.contestTime } else { false }
    }
}
