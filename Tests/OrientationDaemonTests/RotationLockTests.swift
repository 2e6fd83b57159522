// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationDaemon

@Suite struct RotationLockTests {
    nonisolated static let all: [RotationLock] = [.open, .closed(nil)] + Edge.allCases.map { .closed($0) }

    @Test(arguments: all)
    func `what is kept comes back the same`(lock: RotationLock) {
        #expect(RotationLock(text: lock.text) == lock)
        #expect(lock.text.hasSuffix("\n"))
    }

    @Test func `the kept form is for people as well`() {
        #expect(RotationLock.open.text == "open\n")
        #expect(RotationLock.closed(.landscapeLeft).text == "closed landscapeLeft\n")
        #expect(RotationLock(text: "  closed   portrait ") == .closed(.portrait))
    }

    @Test(arguments: [
        "", "\n", "shut", "open portrait", "closed faceUp", "closed portrait portrait", "OPEN", "\0", "{}",
    ])
    func `anything else is damaged`(text: String) {
        #expect(RotationLock(text: text) == nil)
    }
}
