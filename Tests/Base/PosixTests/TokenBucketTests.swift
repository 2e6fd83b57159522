// SPDX-License-Identifier: Apache-2.0

import Posix
import Testing

@Suite struct TokenBucketTests {
    private func tries(_ count: Int, _ bucket: inout TokenBucket, at now: Double) -> [Bool] {
        var results: [Bool] = []
        for _ in 0..<count { results.append(bucket.take(at: now)) }
        return results
    }

    @Test func `a full bucket allows a burst, then one token per interval`() {
        var bucket = TokenBucket(burst: 3, interval: 2)
        #expect(tries(5, &bucket, at: 100) == [true, true, true, false, false])
        #expect(bucket.wait(at: 100) == 2)
        #expect(tries(1, &bucket, at: 101.9) == [false])
        #expect(tries(2, &bucket, at: 102) == [true, false])
        #expect(bucket.wait(at: 103) == 1)
    }

    @Test func `unused tokens accumulate up to the burst`() {
        var bucket = TokenBucket(burst: 3, interval: 2)
        while bucket.take(at: 10) {}
        #expect(bucket.wait(at: 1_000) == 0)
        #expect(tries(5, &bucket, at: 1_000) == [true, true, true, false, false])
        #expect(bucket.wait(at: 1_000) == 2)
    }
}
