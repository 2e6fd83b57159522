// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Whether this user may mount in a namespace of its own.
let canMount =
    (try? RunningProgram.run("/usr/bin/unshare", ["--mount", "--propagation", "private", "true"]).status) == 0

/// The package's udev rule, evaluated by the real udev for umockdev's devices. Needs root to install it in a private
/// mount namespace.
@Suite(.serialized, .enabled(if: canMount, "needs root and mount namespaces"))
struct UdevRuleTests {
    /// Returns whether udev would run setfacl for an event node with SW_TABLET_MODE and these key bits.
    private func opensNode(keys: String, switches: String = "2") throws -> Bool {
        let bits = ["key": keys, "sw": switches, "ev": keys == "0" ? "21" : "23", "abs": "0", "rel": "0"]
        return try opensNode(bits, bus: "0019", listedAs: "ID_INPUT_SWITCH")
    }

    /// Returns the same for an event node with the axes x, y and z, which udev lists as an accelerometer.
    private func opensAccelerometer(
        bus: String, keys: String = "0", udev: [String: String] = [:]
    ) throws -> Bool {
        let bits = ["key": keys, "sw": "0", "ev": keys == "0" ? "9" : "b", "abs": "7", "rel": "0"]
        // INPUT_PROP_ACCELEROMETER.
        return try opensNode(bits, properties: "40", bus: bus, listedAs: "ID_INPUT_ACCELEROMETER", udev: udev)
    }

    private func opensNode(
        _ bits: [String: String], properties: String = "0", bus: String, listedAs kind: String,
        udev: [String: String] = [:]
    ) throws -> Bool {
        let input = "/devices/platform/hinge/input/input5"
        let capabilities = bits.map { "A: capabilities/\($0)=\($1)\\n\n" }.joined()
        let text = try processed(
            """
            P: \(input)
            E: SUBSYSTEM=input
            A: name=Hinge\\n
            A: properties=\(properties)\\n
            A: id/bustype=\(bus)\\n
            \(capabilities)
            P: \(input)/event5
            N: input/event5
            E: DEVNAME=/dev/input/event5
            E: SUBSYSTEM=input
            \(udev.map { "E: \($0)=\($1)\n" }.joined())A: dev=13:69\\n
            """, "\(input)/event5")
        #expect(text.contains("\(kind)=1"), "udev did not evaluate the device: \(text)")
        return text.contains("setfacl -m g:")
    }

    /// Returns what udev prints when it processes the device `path` of a machine.
    private func processed(_ description: String, _ path: String) throws -> String {
        let folder = try TemporaryDirectory()
        let machine = try folder.write(description, to: "machine.umockdev")
        let script = """
            mount -t tmpfs tmpfs /run &&
            mount --bind '\(Programs.packageFolder)/udev' /etc/udev/rules.d &&
            exec umockdev-run -d '\(machine)' -- udevadm test --action=add '/sys\(path)' 2>&1
            """
        let run = try RunningProgram.run(
            "/usr/bin/unshare", ["--mount", "--propagation", "private", "sh", "-c", script])
        return run.output.joined(separator: "\n")
    }

    @Test(arguments: [
        "in_illuminance_raw", "in_illuminance0_input", "in_intensity_both_raw", "in_proximity_raw", "in_proximity0_raw",
        "in_rot_from_north_magnetic_tilt_comp_raw",
    ])
    func `an ambient sensor starts the service of desktops, without access to its node`(
        attribute: String
    ) throws {
        let path = "/devices/platform/chip0/iio:device0"
        let text = try processed(
            "P: \(path)\nE: DEVNAME=/dev/iio:device0\nE: SUBSYSTEM=iio\nA: \(attribute)=1\\n\n", path)
        #expect(text.contains("SYSTEMD_WANTS=orientationd-sensor.target"), "\(text)")
        #expect(!text.contains("orientationd:r") && !text.contains("GROUP"))
    }

    @Test(arguments: [("fastrpc-adsp", true), ("fastrpc-sdsp-secure", true), ("fastrpc-cdsp", false)])
    func `a DSP that may have sensors starts the service of desktops, without access to its node`(
        name: String, isStarted: Bool
    ) throws {
        let path = "/devices/virtual/misc/\(name)"
        let text = try processed("P: \(path)\nE: DEVNAME=/dev/\(name)\nE: SUBSYSTEM=misc\n\n", path)
        #expect(text.contains("SYSTEMD_WANTS=orientationd-sensor.target") == isStarted, "\(text)")
        #expect(!text.contains("orientationd:r") && !text.contains("GROUP"))
    }

    @Test func `the light sensor of Apple's computers and a proximity switch start the service of desktops`() throws {
        let apple = "/devices/platform/applesmc.768"
        let monitor = try processed(
            """
            P: \(apple)
            E: SUBSYSTEM=platform
            A: light=(4,0)\\n

            P: \(apple)/hwmon/hwmon0
            E: SUBSYSTEM=hwmon

            """, "\(apple)/hwmon/hwmon0")
        #expect(monitor.contains("SYSTEMD_WANTS=orientationd-sensor.target"), "\(monitor)")
        for (switches, isProximity) in [("800", true), ("10e00", true), ("2", false), ("1000", false)] {
            let input = "/devices/platform/phone/input/input5"
            let text = try processed(
                """
                P: \(input)
                E: SUBSYSTEM=input
                A: capabilities/key=1000000 0\\n
                A: capabilities/sw=\(switches)\\n
                A: capabilities/ev=21\\n
                A: capabilities/abs=0\\n
                A: capabilities/rel=0\\n

                P: \(input)/event5
                N: input/event5
                E: DEVNAME=/dev/input/event5
                E: SUBSYSTEM=input
                A: dev=13:69\\n

                """, "\(input)/event5")
            #expect(text.contains("SYSTEMD_WANTS=orientationd-sensor.target") == isProximity, "\(switches): \(text)")
        }
    }

    @Test(arguments: [
        ("0", "2", true), ("0", "800", true), ("0", "10e00", true), ("0", "1000", false), ("0", "1", true),
        // Volume and power keys.
        ("10000000000000 0", "2", true), ("10000 0 0 0 0 0 0 0 0 0 100000 0 1000000 0 0 0 0", "10e00", true),
    ])
    func `the daemon gets access to a node with a switch that it reads, also beside volume and power keys`(
        keys: String, switches: String, isOpened: Bool
    ) throws {
        #expect(try opensNode(keys: keys, switches: switches) == isOpened)
    }

    @Test(arguments: [("0018", true), ("0019", true), ("0006", true), ("0003", false), ("0005", false)])
    func `the daemon gets access to a built-in accelerometer, and not to one of a game controller`(
        bus: String, isOpened: Bool
    ) throws {
        #expect(try opensAccelerometer(bus: bus) == isOpened)
        #expect(try !opensAccelerometer(bus: bus, keys: "7fdb000000000000 0 0 0 0"))
    }

    @Test(arguments: [["ACCEL_MOUNT_MATRIX": "0,-1,0;1,0,0;0,0,1"], ["ACCEL_LOCATION": "display"]])
    func `a mount matrix or a location in udev gives access on any bus, never to keys`(udev: [String: String]) throws {
        #expect(try opensAccelerometer(bus: "0003", udev: udev))
        #expect(try !opensAccelerometer(bus: "0003", keys: "7fdb000000000000 0 0 0 0", udev: udev))
    }

    @Test(arguments: [
        ("a keyboard", "fffffffe"), ("the key A beside volume keys", "c000000000000 40000000"), ("the key 1", "4"),
    ])
    func `the daemon never gets access to a node with letters or digits`(kind: String, keys: String) throws {
        #expect(try !opensNode(keys: keys), "\(kind)")
    }
}
