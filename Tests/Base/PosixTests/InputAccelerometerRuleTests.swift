// SPDX-License-Identifier: Apache-2.0

import Posix
import Testing

@Suite struct InputAccelerometerRuleTests {
    private func rejection(
        axes: String? = "7", keys: String? = "0", bus: String? = "0019", sibling: String? = nil
    ) -> String? {
        InputAccelerometerRule.rejection(axes: axes, keys: keys, bus: bus, sibling: sibling)
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
}
