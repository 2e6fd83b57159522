// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What is left of the past after some time, for the time constants that are fixed: 0.4, 0.2 and 0.1 s.
///
/// They are halves of each other so that one exponential serves all three.
struct Fading: Sendable {
    /// The level of shaking falls so slowly: the step of somebody who walks.
    let slow: Double
    /// Steadiness of motion is judged over this: half of a quick turn.
    let middle: Double
    /// The level of shaking rises so quickly: before a knock has passed through the filter.
    let quick: Double

    init(over elapsed: Double) {
        slow = exp(elapsed * -2.5)
        middle = slow * slow
        quick = middle * middle
    }
}
