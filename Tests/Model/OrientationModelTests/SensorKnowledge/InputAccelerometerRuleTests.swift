// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@Suite struct InputAccelerometerRuleTests {
    private func rejection(
        axes: String? = "7", keys: String? = "0", bus: String? = "0019", sibling: String? = nil
    ) -> String? {
        InputAccelerometerRule.rejection(
            of: InputAttributes(axes: axes, keys: keys, bus: bus, sibling: sibling))
    }

    @Test(arguments: ["0006", "0010", "0018", "0019", "001c"])
    func `a built-in accelerometer without keys is used`(bus: String) {
        #expect(rejection(bus: bus) == nil)
        #expect(rejection(axes: "100000000000000 3f", bus: bus) == nil)
    }

    @Test func `the click buttons of lis3lv02d do not exclude it`() {
        #expect(rejection(keys: "38000000000000 0 0 0 0") == nil)
        #expect(rejection(keys: "78000000000000 0 0 0 0")?.contains("keys or buttons") == true)
    }

    @Test(arguments: ["0003", "0005", "", "3", nil])
    func `a device on USB, Bluetooth or an unknown bus is part of a game controller`(bus: String?) {
        #expect(rejection(bus: bus)?.contains("game controller") == true)
    }

    @Test(arguments: ["1", "7fdb000000000000 0 0 0 0", "", nil])
    func `a device with keys, or of which that is unknown, is not read`(keys: String?) {
        #expect(rejection(keys: keys)?.contains("keys or buttons") == true)
    }

    @Test func `a device on the hardware of a gamepad is not used`() {
        #expect(rejection(sibling: "Gamepad") == "part of 'Gamepad', which has buttons")
    }

    @Test(arguments: ["3", "0", "38", "", "x", "7 0", nil])
    func `a device without x, y and z is incomplete`(axes: String?) {
        #expect(rejection(axes: axes)?.contains("incomplete") == true)
    }

    @Test func `the attributes are read from sysfs, with another device of the same hardware that has keys`() {
        let device = "/sys/class/input/event4/device"
        let files = [
            "\(device)/name": "Pad Motion", "\(device)/capabilities/abs": "7", "\(device)/capabilities/key": "0",
            "\(device)/capabilities/sw": "2", "\(device)/id/bustype": "0019",
            "\(device)/device/input/input7/capabilities/key": "7fdb 0", "\(device)/device/input/input7/name": "Pad",
        ]
        let folders = ["\(device)/device/input": ["input6", "input7"]]
        let attributes = InputAttributes(node: "event4", line: { files[$0] }, names: { folders[$0] ?? [] })
        #expect(
            attributes
                == InputAttributes(
                    name: "Pad Motion", axes: "7", keys: "0", switches: "2", bus: "0019", sibling: "Pad"))
        #expect(attributes.has(.tabletMode))
    }
}
