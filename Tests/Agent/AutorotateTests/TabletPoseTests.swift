// SPDX-License-Identifier: Apache-2.0

import Displays
import OrientationModel
import Testing

@testable import Autorotate

@Suite struct TabletPoseTests {
    private let saved = SavedTransform(output: "eDP-1", transform: .normal)
    private let later = SavedTransform(output: "eDP-1", transform: .rotated90)

    @Test func `tablet, restoring, laptop: the transform before the first rotation of the output is restored`() {
        var pose = TabletPose.tablet(former: nil)
        pose.save(saved)
        pose.save(later)
        let restored = pose.leaveTabletMode(of: "eDP-1")
        #expect(restored == saved && pose == .restoring(saved))
        pose.save(later)
        #expect(pose == .restoring(saved) && !pose.isActive)
    }

    @Test func `restoring, tablet: a hinge that bounces keeps the former transform`() {
        var pose = TabletPose.restoring(saved)
        pose.enterTabletMode()
        #expect(pose == .tablet(former: saved))
    }

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
