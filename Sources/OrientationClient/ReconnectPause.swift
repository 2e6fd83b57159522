// SPDX-License-Identifier: Apache-2.0

/// How long to wait before the next attempt to connect.
///
/// The pauses double from 50 ms to 400 ms, so that after a restart of the daemon everybody is back within a second, also
/// when the daemon itself needs half of it to start. When it has been gone for longer than 25 s they go on growing, to a
/// sixty-fourth of the time that it has been gone and at most 10 s, so that an app on a device without the daemon does
/// not keep the processor awake. Each is shortened by up to a quarter, at random, so that a thousand clients do not come
/// back in one burst.
struct ReconnectPause: Sendable {
    private var next = 50
    /// The sum of all pauses since the connection was lost, in milliseconds.
    private var total = 0

    /// The pause before the next attempt, in milliseconds. `luck` is from 0, which leaves it as it is, to 1, which takes a
    /// quarter off.
    mutating func grow(luck: Double) -> Int {
        let pause = next - Int(Double(next / 4) * luck)
        total += pause
        let longest = min(max(400, total / 64), 10_000)
        next = min(next * 2, longest)
        return pause
    }

    /// The connection works: begin from the shortest.
    mutating func reset() {
        self = ReconnectPause()
    }
}
