// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@Suite struct ChassisTests {
    private struct Keyboard {
        var node = "event3"
        var name: String? = "AT Translated Set 2 keyboard"
        var bus = "0011"
        var path = "/devices/platform/i8042/serio0/input/input3/event3"
        var isJoystick = false

        static let usb = Keyboard(bus: "0003", path: "/devices/platform/usb1/1-1/1-1:1.0/input/input9/event3")
    }

    private func chassis(_ type: String?, tree: String? = nil, _ keyboards: Keyboard...) -> Chassis? {
        Chassis { path in
            if path == "/sys/class/dmi/id/chassis_type" { return type }
            if path == "/sys/firmware/devicetree/base/chassis-type" { return tree }
            let keyboard = keyboards.first { path.hasPrefix("/sys/class/input/\($0.node)/device/") }
            return path.hasSuffix("/name") ? keyboard?.name : path.hasSuffix("/id/bustype") ? keyboard?.bus : nil
        } nodes: {
            keyboards.map { ($0.node, $0.path, $0.isJoystick) }
        }
    }

    @Test(arguments: ["8", "9", "10", "13", "14", "31", "32"])
    func `a chassis that is made for a keyboard is a laptop while one is attached`(type: String) {
        #expect(chassis(type, Keyboard())?.laptopReason?.contains("AT Translated Set 2 keyboard") == true)
        #expect(chassis(type) != nil && chassis(type)?.laptopReason == nil)
    }

    /// Desktop, handheld, rack, tablet, and "other" (virtual machines).
    @Test(arguments: ["3", "11", "23", "30", "1", "", "x"])
    func `no other chassis is one, whatever is attached`(type: String) {
        #expect(chassis(type, tree: "laptop", .usb) == nil)
    }

    @Test(arguments: [
        ("laptop", true, true), ("convertible", true, true), ("detachable", true, true), ("all-in-one", true, true),
        ("tablet", true, false), (nil, true, false), ("handset", false, false), ("desktop", false, false),
        ("x", false, false),
    ])
    func `without a DMI the device tree decides; a tablet, and a machine that says nothing, need a keyboard on USB`(
        tree: String?, withUSB: Bool, withOther: Bool
    ) {
        #expect((chassis(nil, tree: tree, .usb)?.laptopReason != nil) == withUSB)
        #expect((chassis(nil, tree: tree, Keyboard())?.laptopReason != nil) == withOther)
        #expect(chassis(nil, tree: tree)?.laptopReason == nil)
    }

    @Test func `a controller is no keyboard, nor is what is on its USB device, nor anything of Valve's`() {
        let folder = "/devices/pci0000:00/0000:00:08.1/0000:04:00.4/usb3/3-3"
        let keyboard = Keyboard(bus: "0003", path: "\(folder)/3-3:1.0/0003:0B05:1ABE.0001/input/input5/event5")
        let pad = { (path: String) in
            Keyboard(node: "event6", bus: "0003", path: "\(path)/input/input6/event6", isJoystick: true)
        }
        #expect(chassis("10", keyboard)?.keyboards.count == 1)
        #expect(chassis("10", keyboard, pad("\(folder)/3-3:1.2"))?.keyboards == [])
        #expect(chassis("10", pad("\(folder)/3-3:1.2"))?.keyboards == [])
        // Beside a keyboard on another device of the hub, or on no USB device.
        #expect(chassis("10", keyboard, pad("\(folder)0/3-30:1.2"))?.keyboards.count == 1)
        #expect(chassis("10", Keyboard(), pad("/devices/platform/gpio"))?.keyboards.count == 1)
        let deck = Keyboard(bus: "0003", path: "\(folder)/3-3:1.0/0003:28DE:1205.0001/input/input5/event5")
        #expect(chassis("8", deck)?.keyboards == [])
    }

    @Test(arguments: [
        // A USB keyboard, the cover of a Surface, and one on a serial hub.
        (Keyboard(bus: "0003", path: "/devices/pci0000:00/0000:00:14.0/usb1/1-1/input/input9/event3"), true),
        (Keyboard(bus: "0018", path: "/devices/pci0000:00/0000:00:15.1/i2c_designware.1/input/input7/event3"), true),
        (Keyboard(bus: "0006", path: "/devices/platform/MSHW0153:00/input/input7/event3"), true),
        // keyd and kmonad, a virtual keyboard, and Bluetooth, by uhid or not.
        (Keyboard(bus: "0003", path: "/devices/virtual/input/input20/event3"), false),
        (Keyboard(bus: "0006", path: "/sys/devices/virtual/input/input21/event3"), false),
        (Keyboard(bus: "0005", path: "/devices/virtual/misc/uhid/0005:046D:B350.0007/input/input22/event3"), false),
        (Keyboard(bus: "0005", path: "/devices/pci0000:00/0000:00:14.0/usb1/1-7/bluetooth/hci0/input23/event3"), false),
    ])
    private func `a keyboard counts unless it is virtual or on Bluetooth`(keyboard: Keyboard, isAttached: Bool) {
        #expect(chassis("32", keyboard)?.keyboards.isEmpty == !isAttached)
    }

    @Test func `the reason names the kind, the type and the keyboard, which may be none`() {
        #expect(
            chassis("10", Keyboard(name: "Yubico YubiKey"))?.laptopReason
                == "notebook (DMI chassis type 10) with the keyboard 'Yubico YubiKey' attached, without a tablet switch or a lid angle"
        )
        #expect(chassis("31", Keyboard(name: nil))?.laptopReason?.contains("'event3'") == true)
    }
}
