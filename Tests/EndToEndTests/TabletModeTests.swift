// SPDX-License-Identifier: Apache-2.0

import Testing

/// A convertible's switch, which comes and goes.
@Suite(.serialized) struct TabletMode {
    private let hinge = ["ID_INPUT=1", "ID_INPUT_SWITCH=1"]

    @Test func `the switch is reported once it is there, and no longer once it has gone`() throws {
        let bed = try MockedMachine([], ["--sensor", "fake:poses"])
        let watch = try bed.tool("watch", "--json")
        #expect(try watch.state { $0.orientation == "portrait" }.tabletMode == nil)
        try bed.plugSwitch(5, isTablet: true, properties: hinge)
        #expect(try watch.state { $0.tabletMode != nil }.tabletMode == true)
        // A second one has nothing to say while the first is there.
        try bed.plugSwitch(6, isTablet: false, properties: hinge)
        try bed.unplugSwitch(5)
        #expect(try watch.state { $0.tabletMode != true }.tabletMode == nil)
        #expect(try watch.state { $0.tabletMode != nil }.tabletMode == false)
        try bed.unplugSwitch(6)
        _ = try watch.state { $0.tabletMode == nil }
    }

    @Test func `a node with keys is never opened, whatever switch it has`() throws {
        let bed = try MockedMachine([], ["--sensor", "fake:poses"])
        let watch = try bed.tool("watch", "--json")
        try bed.plugSwitch(3, isTablet: true, properties: hinge + ["ID_INPUT_KEYBOARD=1"])
        try bed.plugSwitch(4, isTablet: true, properties: ["ID_INPUT_KEYBOARD=1"])
        // Volume keys: not a keyboard for udev, and keys all the same.
        try bed.plugSwitch(2, isTablet: true, properties: hinge + ["ID_INPUT_KEY=1"])
        try bed.plugSwitch(5, isTablet: false, properties: hinge)
        // The others came before, and are asked before.
        #expect(try watch.state { $0.tabletMode != nil }.tabletMode == false)
    }
}
