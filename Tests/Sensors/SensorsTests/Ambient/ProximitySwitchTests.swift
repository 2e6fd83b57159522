// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import TestSupport
import Testing

@testable import Sensors

/// Which event nodes are used as proximity sensors, with a file instead of a node.
@Suite struct ProximitySwitchTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func describe(switches: String, keys: String) -> SensorDescription? {
        ProximitySwitch.describe(
            "event4", at: folder.path("event4"), InputAttributes(name: "front", keys: keys, switches: switches))
    }

    @Test func `a switch beside letters is rejected, although the node can be opened`() throws {
        _ = try folder.write("", to: "event4")
        #expect(
            describe(switches: "800", keys: "1000 40000000")?.rejection
                == "it has letter or digit keys, which orientationd must not read")
        #expect(describe(switches: "800", keys: "1000 0")?.rejection == nil)
        let usable = try #require(describe(switches: "800", keys: "0"))
        #expect(usable.rejection == nil && usable.name == "front" && usable.kind == .proximity)
    }

    @Test func `a node that cannot be opened is rejected with the reason`() throws {
        let path = folder.path("event4")
        #expect(
            describe(switches: "800", keys: "0")?.rejection == "cannot open \(path): No such file or directory")
    }

    @Test func `a device with other switches only is no proximity sensor`() {
        #expect(describe(switches: "2", keys: "0") == nil)
    }
}
