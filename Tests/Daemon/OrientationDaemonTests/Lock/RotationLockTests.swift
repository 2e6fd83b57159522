// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationDaemon

@Suite struct RotationLockTests {
    nonisolated static let all: [RotationLock] = [.off, .on(nil)] + PanelEdge.allCases.map { .on($0) }

    @Test(arguments: all)
    func `the stored form parses to the same lock`(lock: RotationLock) {
        #expect(RotationLock(text: lock.text) == lock)
        #expect(lock.text.hasSuffix("\n"))
    }

    @Test func `the stored form is readable text`() {
        #expect(RotationLock.off.text == "open\n")
        #expect(RotationLock.on(.right).text == "closed right\n")
        #expect(RotationLock(text: "  closed   left ") == .on(.left))
    }

    @Test(arguments: [
        "", "\n", "shut", "open portrait", "closed faceUp", "closed portrait", "closed top top", "OPEN", "\0", "{}",
    ])
    func `an invalid stored form is rejected`(text: String) {
        #expect(RotationLock(text: text) == nil)
    }
}
