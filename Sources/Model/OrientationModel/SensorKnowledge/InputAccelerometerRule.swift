// SPDX-License-Identifier: Apache-2.0

/// Decides which input devices that udev lists as accelerometers measure the orientation of the machine. The udev rule
/// has the same conditions: the daemon cannot open a node with keys.
enum InputAccelerometerRule {
    /// The buses of built-in sensors: virtual (uinput), ISA, I2C, host and SPI. On USB and Bluetooth an accelerometer is
    /// part of a game controller; tablets have sensor hubs there, which are IIO devices.
    private static let buses: Set<String> = ["0006", "0010", "0018", "0019", "001c"]

    /// The buttons BTN_X, BTN_Y and BTN_Z alone, as the kernel prints them with words of 64 bits: lis3lv02d reports clicks
    /// on the machine by them.
    private static let clicks = "38000000000000 0 0 0 0"

    /// Returns why a device cannot be used, not even on request; nil if it can.
    static func defect(of device: InputAttributes) -> String? {
        // Bits 0 to 2 are x, y and z.
        guard let axes = InputAttributes.lowestWord(of: device.axes), axes & 7 == 7
        else { return "incomplete accelerometer: not all of ABS_X, ABS_Y and ABS_Z found" }
        guard let keys = device.keys, keys == "0" || keys == clicks else {
            return "has keys or buttons, which the daemon must not read"
        }
        return nil
    }

    /// Returns why a device is used only on request, or with a mount matrix or a location in udev; nil if it is used.
    static func rejection(of device: InputAttributes) -> String? {
        guard let bus = device.bus, buses.contains(bus) else {
            return "part of a game controller: on USB or Bluetooth"
        }
        return device.sibling.map { "part of '\($0)', which has buttons" }
    }
}
