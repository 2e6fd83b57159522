// SPDX-License-Identifier: Apache-2.0

/// How long to wait before the next attempt to connect.
///
/// The pauses double from 50 ms to 800 ms, so that after a restart of the daemon everybody is back within a second. Each
/// is shortened at random by up to a quarter, so that a thousand clients do not come back in one burst.
struct ReconnectPause: Sendable {
    static let shortest = 50
    static let longest = 800

    private var next = Self.shortest

    /// The pause before the next attempt, in milliseconds.
    mutating func grow(using generator: inout some RandomNumberGenerator) -> Int {
        defer { next = min(next * 2, Self.longest) }
        return Int.random(in: (next - next / 4)...next, using: &generator)
    }

    /// The connection works: begin from the shortest.
    mutating func reset() {
        next = Self.shortest
    }
}
