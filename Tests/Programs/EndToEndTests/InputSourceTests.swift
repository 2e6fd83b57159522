// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Accelerometers that are input devices.
@Suite(.serialized) struct InputSourceTests {
    private typealias Device = Machine.InputDevice

    /// Starts a daemon beside input devices, whose nodes stay open for writing.
    private func start(
        _ arguments: [String] = [], devices: [Machine.Device] = [], inputs: [Device]
    ) throws -> (daemon: RunningDaemon, events: [Machine.InputEvents]) {
        let daemon = try RunningDaemon(arguments, devices: devices, inputs: inputs)
        let machine = try #require(daemon.machine)
        return (daemon, try inputs.map { try Machine.InputEvents(machine, $0) })
    }

    @Test(arguments: [
        [], ["--sensor", "evdev:"], ["--sensor", "evdev:event4"], ["--sensor", "evdev:test accelerometer"],
    ])
    func `an input device is used, and turns are followed`(arguments: [String]) throws {
        let (daemon, events) = try start(arguments, inputs: [Device()])
        let watch = try daemon.tool("watch", "--json")
        #expect(try watch.states(until: "portrait").last?.sensor == "event4")
        for (x, y, z, name) in [(1, 0, 0, "landscapeLeft"), (0, 0, -1, "faceDown"), (0, -1, 0, "portraitUpsideDown")] {
            events[0].hold(x, y, z)
            #expect(try watch.states(until: name).last?.reason == nil)
        }
        #expect(try daemon.sensors.contains("256, 256, 256 units per g assumed: the driver states no resolution"))
    }
}
