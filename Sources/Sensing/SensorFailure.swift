// SPDX-License-Identifier: Apache-2.0

/// Why a source gives no samples, sorted by what the caller does next. Each carries a sentence for people, without a
/// full stop: what happened, to what, and what to do where somebody can do something.
package enum SensorFailure: Error, Hashable, CustomStringConvertible {
    /// There is no such sensor yet: wait for one, and look again.
    case noDevice(String)
    /// It was there and is gone: tell that nothing is known, and look again.
    case gone(String)
    /// It is there and does not work: try the next one, and look again with growing pauses.
    case failed(String)
    /// It reads what cannot be true: try the next one, and look again soon, since the next reading may be true.
    case implausible(String)
    /// It can never work as it was asked for (a damaged recording, a URI that means nothing): give up until somebody
    /// changes something.
    case unusable(String)

    package var description: String {
        switch self {
        case .noDevice(let reason), .gone(let reason), .failed(let reason), .implausible(let reason),
            .unusable(let reason):
            reason
        }
    }

    /// Whether it may get better by itself.
    package var isWorthRetrying: Bool {
        if case .unusable = self { false } else { true }
    }
}
