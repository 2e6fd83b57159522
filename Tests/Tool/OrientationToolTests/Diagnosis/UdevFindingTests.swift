// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationTool

/// Findings about udev's rules and properties.
@Suite struct UdevFindingTests {
    private let good = MachineFacts.good

    @Test func `udev not running, a missing, an empty and a pending rule have different findings`() {
        #expect(good.with { $0.udev.isRunning = false }.fault("udev")?.summary == "udev is not running")
        #expect(good.with { $0.udev.rule = nil }.fault("udev")?.summary == "udev has no rule 70-orientationd.rules")
        #expect(good.with { $0.udev.isRuleMasked = true }.fault("udev")?.fix?.command.contains("sudo rm") == true)
        let untagged = good.withDevice { $0.udev = UdevRecord(uevent: "", database: "I:1\n") }
        #expect(untagged.fault("udev")?.summary.contains("lacks the tag orientationd") == true)
        let fresh = good.withDevice { $0.udev = UdevRecord(uevent: "") }
        #expect(fresh.fault("udev")?.summary.contains("udev has not run its rules") == true)
    }

    @Test(arguments: [
        ("ACCEL_LOCATION", "screen"), ("ORIENTATIOND_FACE_SIGN", "2"), ("ORIENTATIOND_BUFFER", "yes"),
        ("ORIENTATIOND_CLASSIFIER", "wild"), ("ORIENTATIOND_CLASSIFIER", "calm,edgeMargin=99"),
        ("ACCEL_LOCATION", ""), ("ORIENTATIOND_NATURAL_ORIENTATION", "landscape"),
    ])
    func `an invalid property is a problem that quotes it`(property: String, value: String) throws {
        let finding = try #require(good.withDevice { $0.set(property, value) }.fault("properties"))
        #expect(finding.level == .problem)
        #expect(finding.summary.contains(property))
        #expect(finding.summary.contains("'\(value)'"))
        #expect(finding.fix == nil && finding.detail?.contains("It is set in ") == true)
    }

    @Test(arguments: [
        ("ORIENTATIOND_FACE_SIGN", "-1"), ("ORIENTATIOND_BUFFER", "0"), ("ORIENTATIOND_BUFFER", "1"),
        ("ORIENTATIOND_NATURAL_ORIENTATION", "portrait"),
    ])
    func `a property that overrides a default is a note`(property: String, value: String) {
        #expect(good.withDevice { $0.set(property, value) }.fault("properties")?.level == .note)
    }
}
