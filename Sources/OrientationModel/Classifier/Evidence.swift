// SPDX-License-Identifier: Apache-2.0

/// Time in which the samples spoke for one other answer; it grows while they do and drains while they do not.
struct Evidence: Sendable {
    private(set) var seconds = 0.0
    private var candidate = DeviceOrientation.unknown
    private var isFresh = true

    mutating func add(_ elapsed: Double, for answer: DeviceOrientation) {
        if answer != candidate {
            seconds = 0
            isFresh = true
        }
        candidate = answer
        // Somewhere between the sample before and this one the boundary was crossed: not all of the time counts.
        seconds += isFresh ? elapsed * Self.firstShare : elapsed
        isFresh = false
    }

    mutating func drain(_ elapsed: Double) {
        seconds = max(0, seconds - elapsed)
        isFresh = true
    }

    private static let firstShare = 0.8
}
