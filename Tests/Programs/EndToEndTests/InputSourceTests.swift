// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Accelerometers that are input devices.
@Suite(.serialized) struct InputSourceTests {
    private typealias Device = Machine.InputDevice

    @Test(arguments: [
        [], ["--sensor", "evdev:"], ["--sensor", "evdev:event4"], ["--sensor", "evdev:test accelerometer"],
    ])
    func `an input device is used, and turns are followed`(arguments: [String]) throws {
        let daemon = try RunningDaemon(arguments, devices: [], inputs: [Device()])
        let events = try Machine.InputEvents(try #require(daemon.machine), Device())
        let watch = try daemon.tool("watch", "--json")
        #expect(try watch.states(until: "portrait").last?.sensor == "event4")
        for (x, y, z, name) in [(1, 0, 0, "landscapeLeft"), (0, 0, -1, "faceDown"), (0, -1, 0, "portraitUpsideDown")] {
            events.hold(x, y, z)
            #expect(try watch.states(until: name).last?.reason == nil)
        }
        #expect(try daemon.sensors.contains("256, 256, 256 units per g assumed: the driver states no resolution"))
    }
}
