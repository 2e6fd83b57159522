// SPDX-License-Identifier: Apache-2.0

import Foundation
import Systemd
import Testing

@testable import OrientationDaemon

@Suite struct DeviceWatchTests {
    @Test func `a new watch of sessions reports a change that may have preceded it, an existing one does not`() throws {
        let (loop, queue) = (try EventLoop(), EventQueue())
        let watch = DeviceWatch(
            loop: loop, queue: queue, log: Logger { _, _ in }, core: nil, watchesDisplays: false, watchesAmbient: false)
        // Without logind there is no watch.
        let count = FileManager.default.fileExists(atPath: "/run/systemd/users") ? 1 : 0
        for (isWatched, expected) in [(true, count), (true, 0), (false, 0), (true, count)] {
            watch.setWatchesSessions(isWatched)
            var found = 0
            while let event = queue.popFirst() { if case .sessionsChanged = event { found += 1 } }
            #expect(found == expected)
        }
    }
}
