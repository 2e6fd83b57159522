// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// The switch of a convertible's hinge.
@Suite(.serialized) struct TabletModeTests {
    @Test func `tablet mode is reported while the switch is present`() throws {
        let bed = try Testbed([], ["--sensor", "fake:"])
        let watch = try bed.tool("watch", "--json")
        #expect(try watch.state { $0.orientation == "portrait" }.tabletMode == nil)
        try bed.plugSwitch(5, isTablet: true)
        #expect(try watch.state { $0.tabletMode != nil }.tabletMode == true)
        try bed.unplugSwitch(5)
        _ = try watch.state { $0.tabletMode == nil }
    }

    /// The node, and files of the device and of udev.
    @Test(arguments: ["/event5", "/capabilities/sw", "/event5/uevent"])
    func `a switch that cannot be read now is used once it can`(file: String) throws {
        let bed = try Testbed([], ["--sensor", "fake:"])
        let watch = try bed.tool("watch", "--json")
        _ = try watch.states(until: "portrait")
        try bed.setFault("open", file, EMFILE)
        try bed.plugSwitch(5, isTablet: true)
        #expect(eventually { bed.log.contains(/tablet switch of .*: Too many open files/) })
        try bed.clearFaults()
        #expect(try watch.state { $0.tabletMode != nil }.tabletMode == true)
    }

    @Test func `a switch that appears during a scan is used after it`() throws {
        let bed = try Testbed([], ["--sensor", "fake:"])
        let watch = try bed.watch(until: "portrait")
        try bed.setFault("open", "/dev/input/event5", Faults.hang)
        try bed.plugSwitch(5, isTablet: false)
        // With the reply, the daemon has received the events of the device.
        #expect(try bed.tool("status").wait() == 0)
        #expect(eventually { RunningDaemon.threads(of: bed.daemon, named: ["call"]) == ["call"] })
        try bed.plugSwitch(6, isTablet: true)
        #expect(try bed.tool("status").wait() == 0)
        try bed.clearFaults()
        _ = try watch.state { $0.tabletMode == true }
    }

    @Test func `a switch that was denied is used after the removal of another one`() throws {
        let bed = try Testbed([], ["--sensor", "fake:"])
        let watch = try bed.watch(until: "portrait")
        try bed.setFault("open", "/dev/input/event6", EACCES)
        try bed.plugSwitch(5, isTablet: false)
        try bed.plugSwitch(6, isTablet: true)
        _ = try watch.state { $0.tabletMode == false }
        #expect(eventually { bed.log.contains("tablet switch of event6: cannot open: Permission denied") })
        #expect(try bed.tool("status").wait() == 0)
        #expect(eventually { RunningDaemon.threads(of: bed.daemon, named: ["call"]).isEmpty })
        try bed.clearFaults()
        try bed.unplugSwitch(5)
        _ = try watch.state { $0.tabletMode == true }
    }

    @Test func `a node with letter keys and a switch is never opened, one with volume keys is`() throws {
        let bed = try Testbed([], ["--sensor", "fake:"])
        let watch = try bed.tool("watch", "--json")
        try bed.plugSwitch(3, isTablet: true, keys: "fffffffe")
        try bed.plugSwitch(4, isTablet: true, keys: "1000 40000000")
        try bed.plugSwitch(5, isTablet: false, keys: "c000000000000 0")
        // The other nodes appeared earlier and are examined first.
        #expect(try watch.state { $0.tabletMode != nil }.tabletMode == false)
    }
}
