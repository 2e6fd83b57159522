// SPDX-License-Identifier: Apache-2.0

import Posix
import Testing

@testable import OrientationTool

@Suite struct WatchSessionTests {
    private func intervals(wantsMotion: Bool) -> [Double] {
        var intervals = WatchSession.checkIntervals(wantsMotion: wantsMotion)
        return (0..<7).map { _ in intervals.next() }
    }

    @Test func `watch checks a responsive daemon at growing intervals`() {
        #expect(intervals(wantsMotion: false) == [2, 4, 8, 16, 32, 60, 60])
    }

    @Test func `the live picture of watch checks the daemon every two seconds`() {
        #expect(intervals(wantsMotion: true) == [2, 2, 2, 2, 2, 2, 2])
    }
}
