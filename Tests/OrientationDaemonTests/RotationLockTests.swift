// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationDaemon

@Suite struct RotationLockTests {
    nonisolated static let all: [RotationLock] = [.open, .closed(nil)] + Edge.allCases.map { .closed($0) }

    @Test(arguments: all)
    func `the stored form parses to the same lock`(lock: RotationLock) {
        #expect(RotationLock(text: lock.text) == lock)
        #expect(lock.text.hasSuffix("\n"))
    }

    @Test func `the stored form is readable text`() {
        #expect(RotationLock.open.text == "open\n")
        #expect(RotationLock.closed(.landscapeLeft).text == "closed landscapeLeft\n")
        #expect(RotationLock(text: "  closed   portrait ") == .closed(.portrait))
    }

    @Test(arguments: [
        "", "\n", "shut", "open portrait", "closed faceUp", "closed portrait portrait", "OPEN", "\0", "{}",
    ])
    func `an invalid stored form is rejected`(text: String) {
        #expect(RotationLock(text: text) == nil)
    }
}
