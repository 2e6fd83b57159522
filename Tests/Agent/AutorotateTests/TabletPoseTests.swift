// SPDX-License-Identifier: Apache-2.0

import Displays
import Testing

@testable import Autorotate

@Suite struct TabletPoseTests {
    @Test func `without a rotation of this output, nothing is restored`() {
        for former in [nil, SavedTransform(output: "HDMI-A-1", transform: .normal)] {
            var pose = TabletPose.tablet(former: former)
            let restored = pose.leaveTabletMode(of: "eDP-1")
            #expect(restored == nil && pose == .laptop)
            pose.enterTabletMode()
            #expect(pose == .tablet(former: nil))
        }
    }
}
