// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Sensors

@Suite struct ScaleReviewTests {
    /// Lengths in m/s² at 25 Hz, and the indices of the readings after which the scale is read again.
    @Test(arguments: [
        ([9.8, 9.7, 10, 9.8], []), ([9.8, 39.2, 39.2, 39.2], [1]), ([9.8, 2.45], [1]), ([9.8, 4.9, 9.8, 19.6], [1]),
        // A chip without gravity, and zeros before the first reading.
        ([0.08, 0.08, 0.09], []), ([0, 9.8, 0], [2]), ([9.8, .infinity], [1]),
    ])
    func `the scale is read again when the length jumps`(lengths: [Double], due: [Int]) {
        var review = ScaleReview()
        let found = lengths.indices.filter { review.isDue(length: lengths[$0], at: Double($0) / 25) }
        #expect(found == due)
    }

    @Test func `a shake reads it a few times per second, also after the clock was set back`() {
        var review = ScaleReview()
        let due = (0..<100).filter { review.isDue(length: $0 == 0 ? 9.8 : 25, at: Double($0) / 25) }
        #expect((12...17).contains(due.count))
        let isDue = review.isDue(length: 25, at: -100)
        #expect(isDue)
    }
}
