// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@Suite struct InputAccelerometerRuleTests {
    private func traits(
        axes: String? = "7", keys: String? = "0", bus: String? = "0019", sibling: String? = nil,
        _ properties: [SensorProperty: String] = [:]
    ) -> SensorTraits {
        SensorTraits(
            SensorAttributes(
                properties: properties, input: InputAttributes(axes: axes, keys: keys, bus: bus, sibling: sibling)))
    }

    private func defect(axes: String? = "7", keys: String? = "0") -> String? {
        let traits = traits(axes: axes, keys: keys)
        #expect(traits.rejection == nil)
        return traits.defect
    }

    private func rejection(
        axes: String? = "7", bus: String? = "0019", sibling: String? = nil, _ properties: [SensorProperty: String] = [:]
    ) -> String? {
        let traits = traits(axes: axes, bus: bus, sibling: sibling, properties)
        #expect(traits.defect == nil)
        return traits.rejection
    }

    @Test(arguments: ["0006", "0010", "0018", "0019", "001c"])
    func `a built-in accelerometer without keys is used`(bus: String) {
        #expect(rejection(bus: bus) == nil)
        #expect(rejection(axes: "100000000000000 3f", bus: bus) == nil)
    }

    @Test func `the click buttons of lis3lv02d do not exclude it`() {
        #expect(defect(keys: "38000000000000 0 0 0 0") == nil)
        #expect(defect(keys: "78000000000000 0 0 0 0")?.contains("keys or buttons") == true)
    }

    @Test(arguments: ["0003", "0005", "", "3", nil])
    func `a device on USB, Bluetooth or an unknown bus is part of a game controller`(bus: String?) {
        #expect(rejection(bus: bus)?.contains("game controller") == true)
    }

    @Test(arguments: ["1", "7fdb000000000000 0 0 0 0", "", nil])
    func `a device with keys, or of which that is unknown, is not read`(keys: String?) {
        #expect(defect(keys: keys)?.contains("keys or buttons") == true)
    }

    @Test func `a device on the hardware of a gamepad is not used`() {
        #expect(rejection(sibling: "Gamepad") == "part of 'Gamepad', which has buttons")
    }

    @Test(arguments: [
        [SensorProperty.mountMatrix: "0,-1,0;1,0,0;0,0,1"], [.location: "display"],
        [.mountMatrix: "oops", .location: "lid"],
    ])
    func `a mount matrix or a location in udev overrides bus and buttons`(properties: [SensorProperty: String]) {
        #expect(rejection(bus: "0003", sibling: "Steam Deck", properties) == nil)
        #expect(rejection(bus: "0005", properties) == nil)
        #expect(traits(keys: "7fdb000000000000 0 0 0 0", bus: "0003", properties).defect != nil)
    }

    @Test func `an invalid mount matrix and the base override nothing`() {
        #expect(rejection(bus: "0003", [.mountMatrix: "oops"])?.contains("game controller") == true)
        #expect(rejection(bus: "0003", [.location: "base"]) == "in the base, not in the display")
    }

    @Test(arguments: ["3", "0", "38", "", "x", "7 0", nil])
    func `a device without x, y and z is incomplete`(axes: String?) {
        #expect(defect(axes: axes)?.contains("incomplete") == true)
    }

    @Test func `the attributes are read from sysfs, with another device of the same hardware that has keys`() {
        let device = "/sys/class/input/event4/device"
        let files = [
            "\(device)/name": "Pad Motion", "\(device)/capabilities/abs": "7", "\(device)/capabilities/key": "0",
            "\(device)/capabilities/sw": "2", "\(device)/id/bustype": "0019",
            "\(device)/device/input/input7/capabilities/key": "7fdb 0", "\(device)/device/input/input7/name": "Pad",
        ]
        let folders = [
            "\(device)/device/input": ["input6", "input7"],
            "\(device)/device/input/input6": ["capabilities", "event4"],
        ]
        let attributes = InputAttributes(node: "event4", line: { files[$0] }, names: { folders[$0] ?? [] })
        #expect(
            attributes
                == InputAttributes(
                    name: "Pad Motion", axes: "7", keys: "0", switches: "2", bus: "0019", sibling: "Pad"))
        #expect(attributes.has(.tabletMode))
    }

    @Test func `lis3lv02d with click buttons is not part of itself`() {
        let device = "/sys/class/input/event5/device"
        let own = "\(device)/device/input/input5"
        let clicks = "38000000000000 0 0 0 0"
        let files = [
            "\(device)/name": "ST LIS3LV02DL Accelerometer", "\(own)/name": "ST LIS3LV02DL Accelerometer",
            "\(device)/capabilities/abs": "7", "\(device)/capabilities/key": clicks, "\(own)/capabilities/key": clicks,
            "\(device)/id/bustype": "0019",
        ]
        let folders = ["\(device)/device/input": ["input5"], own: ["capabilities", "event5", "id", "js0"]]
        let input = InputAttributes(node: "event5", line: { files[$0] }, names: { folders[$0] ?? [] })
        #expect(input.sibling == nil)
        let traits = SensorTraits(SensorAttributes(input: input))
        #expect(traits.defect == nil && traits.rejection == nil)
    }
}
