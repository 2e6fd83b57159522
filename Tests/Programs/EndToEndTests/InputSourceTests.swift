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

    @Test func `an IIO accelerometer is preferred`() throws {
        let (daemon, _) = try start(devices: [.upright], inputs: [Device()])
        #expect(try daemon.tool("watch", "--json").states(until: "portrait").last?.sensor == "iio:device0")
        let list = try daemon.sensors
        #expect(list.contains("event4"))
        #expect(list.contains("an IIO accelerometer is available"))
    }

    @Test func `an input device replaces an IIO accelerometer that fails`() throws {
        var broken = Machine.Device.upright
        broken.attributes["in_accel_x_raw"] = "garbage"
        let (daemon, events) = try start(devices: [broken], inputs: [Device()])
        defer { withExtendedLifetime(events) {} }
        #expect(try daemon.tool("watch", "--json").states(until: "portrait").last?.sensor == "event4")
    }

    @Test(arguments: ["auto", "evdev:"])
    func `an input device that cannot be opened is replaced by another one`(source: String) throws {
        var first = Device()
        first.number = 3
        let faults = try Faults()
        try faults.set("open", first.node, EACCES)
        let daemon = try RunningDaemon(
            ["--sensor", source], devices: [], inputs: [first, Device()], faults: faults)
        let events = try Machine.InputEvents(try #require(daemon.machine), Device())
        let watch = try daemon.tool("watch", "--json")
        #expect(try watch.states(until: "portrait").last?.sensor == "event4")
        #expect(try daemon.sensors.contains("recent failure: cannot open /dev/input/event3: Permission denied"))
        withExtendedLifetime(events) {}
    }

    @Test func `the mount matrix and the location of udev apply`() throws {
        var turned = Device()
        turned.properties["ACCEL_MOUNT_MATRIX"] = "0, 1, 0; -1, 0, 0; 0, 0, 1"
        var base = Device()
        base.number = 3
        base.properties["ACCEL_LOCATION"] = "base"
        let (daemon, events) = try start(inputs: [base, turned])
        // The nodes stay open.
        defer { withExtendedLifetime(events) {} }
        #expect(try daemon.tool("watch", "--json").states(until: "landscapeLeft").last?.sensor == "event4")
        let list = try daemon.sensors
        #expect(list.contains("in the base, not in the display"))
        #expect(list.contains("udev ACCEL_MOUNT_MATRIX"))
    }

    @Test func `motion sensors of game controllers and devices with keys are not used`() throws {
        var (usb, keys, gamepad) = (Device(), Device(), Device())
        (usb.number, keys.number, gamepad.number) = (5, 6, 7)
        usb.bus = "0003"
        keys.keys = "7fdb000000000000 0 0 0 0"
        gamepad.siblingKeys = "7fdb000000000000 0 0 0 0"
        let (daemon, _) = try start(inputs: [usb, keys, gamepad])
        let list = try daemon.runTool("sensors").output
        #expect(!list.contains { $0.hasPrefix("* ") })
        let text = list.joined(separator: "\n")
        for reason in ["on USB or Bluetooth", "has keys or buttons", "part of 'test gamepad', which has buttons"] {
            #expect(text.contains(reason))
        }
    }

    @Test func `a console's sensor beside its gamepad is used with a matrix in udev, or on request`() throws {
        var console = Device()
        console.name = "Steam Deck Motion Sensors"
        (console.bus, console.siblingKeys) = ("0003", "7cdb000000000000 0 0 0 0")
        console.usb = .init(name: "3-3", removable: "fixed")
        // As a console, the right edge of its tall panel is up.
        (console.values, console.resolution) = ([20, 16_384, -300], 16_384)
        let reason = "event4 (Steam Deck Motion Sensors): part of a game controller: on USB or Bluetooth"
        do {
            let (daemon, events) = try start(inputs: [console])
            defer { withExtendedLifetime(events) {} }
            // The message names the node that was rejected.
            _ = try daemon.tool("watch", "--json").lines { $0.contains(reason) }
        }
        do {
            let (daemon, events) = try start(["--sensor", "evdev:Steam Deck Motion Sensors"], inputs: [console])
            defer { withExtendedLifetime(events) {} }
            #expect(try daemon.tool("watch", "--json").states(until: "portraitUpsideDown").last?.sensor == "event4")
        }
        // The matrix replaces the mark that the USB device is built in.
        console.usb?.removable = "unknown"
        console.properties["ACCEL_MOUNT_MATRIX"] = "0,-1,0;1,0,0;0,0,1"
        let (daemon, events) = try start(inputs: [console])
        defer { withExtendedLifetime(events) {} }
        #expect(try daemon.tool("watch", "--json").states(until: "landscapeLeft").last?.sensor == "event4")
    }

    @Test func `the free-fall sensor of a notebook is not used, with its click buttons it is part of no other device`()
        throws
    {
        var chip = Device()
        (chip.name, chip.keys) = ("ST LIS3LV02DL Accelerometer", "38000000000000 0 0 0 0")
        let notebook = try RunningDaemon([], devices: [], inputs: [chip], chassis: 10)
        let why = "in the base, not in the display: it protects the disk of a notebook"
        #expect(try notebook.sensors.contains(why))
        let tablet = try RunningDaemon([], devices: [], inputs: [chip], chassis: 30)
        #expect(try tablet.sensors.contains("used: first accelerometer in the display"))
    }

    @Test func `a wrong resolution is corrected`() throws {
        var device = Device()
        device.resolution = 1_000
        let (daemon, events) = try start(inputs: [device])
        defer { withExtendedLifetime(events) {} }
        let watch = try daemon.watch(until: "portrait")
        defer { withExtendedLifetime(watch) {} }
        let sensors = { try daemon.runTool("sensors").output }
        #expect(try eventually { try sensors().contains { $0.contains("scale looks wrong by a factor of 0.25") } })
    }

    @Test func `a desktop gets the orientation of iio-sensor-proxy's test device`() throws {
        let bus = try PrivateBus()
        // As its capture: 256 units, no resolution, a virtual device.
        var device = Device()
        device.bus = "0006"
        let daemon = try bus.daemon(devices: [], inputs: [device])
        let events = try Machine.InputEvents(try #require(daemon.machine), device)
        let desktop = try bus.desktop()
        try desktop.send("call", "ClaimAccelerometer")
        try desktop.signal("AccelerometerOrientation", "normal")
        events.hold(0, -1, 0)
        try desktop.signal("AccelerometerOrientation", "bottom-up")
    }
}
