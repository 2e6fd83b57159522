// SPDX-License-Identifier: Apache-2.0

import Testing

/// The switch of a convertible's hinge.
@Suite(.serialized) struct TabletModeTests {
    private let hinge = ["ID_INPUT=1", "ID_INPUT_SWITCH=1"]

    @Test func `tablet mode is reported while the switch is present`() throws {
        let bed = try Testbed([], ["--sensor", "fake:"])
        let watch = try bed.tool("watch", "--json")
        #expect(try watch.state { $0.orientation == "portrait" }.tabletMode == nil)
        try bed.plugSwitch(5, isTablet: true, properties: hinge)
        #expect(try watch.state { $0.tabletMode != nil }.tabletMode == true)
        // A second switch is ignored while the first is present.
        try bed.plugSwitch(6, isTablet: false, properties: hinge)
        try bed.unplugSwitch(5)
        #expect(try watch.state { $0.tabletMode != true }.tabletMode == nil)
        #expect(try watch.state { $0.tabletMode != nil }.tabletMode == false)
        try bed.unplugSwitch(6)
        _ = try watch.state { $0.tabletMode == nil }
    }

    @Test func `a node with keys and a switch is never opened`() throws {
        let bed = try Testbed([], ["--sensor", "fake:"])
        let watch = try bed.tool("watch", "--json")
        try bed.plugSwitch(3, isTablet: true, properties: hinge + ["ID_INPUT_KEYBOARD=1"])
        try bed.plugSwitch(4, isTablet: true, properties: ["ID_INPUT_KEYBOARD=1"])
        // Volume keys: keys, although not a keyboard for udev.
        try bed.plugSwitch(2, isTablet: true, properties: hinge + ["ID_INPUT_KEY=1"])
        try bed.plugSwitch(5, isTablet: false, properties: hinge)
        // The other nodes appeared earlier and are examined first.
        #expect(try watch.state { $0.tabletMode != nil }.tabletMode == false)
    }
}
