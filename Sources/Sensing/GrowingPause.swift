// SPDX-License-Identifier: Apache-2.0

/// The pauses between tries of what may pass by itself, in seconds: each is twice the one before, up to the longest.
package struct GrowingPause: Hashable, Sendable {
    package static let shortest = 0.1
    package static let longest = 30.0

    private var seconds = Self.shortest

    package init() {}

    /// Whether there has been a try that failed.
    package var hasGrown: Bool { seconds > Self.shortest }

    /// How long to wait before the next try.
    package mutating func next() -> Double {
        defer { seconds = min(seconds * 2, Self.longest) }
        return seconds
    }
}
