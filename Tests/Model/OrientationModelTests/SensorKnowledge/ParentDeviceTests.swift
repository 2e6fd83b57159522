// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@Suite struct ParentDeviceTests {
    /// The files of a machine: attributes by path.
    private struct Files {
        var lines: [String: String] = [:]
        /// The folders on USB: the root hub, devices and interfaces.
        private static let onUSB = Set(
            ["", "/2-1", "/2-1/2-1:1.2", "/2-1/2-1:1.5", "/2-1/2-1.4", "/2-1/2-1.4/2-1.4:1.0"].map {
                "/sys/devices/pci0000:00/0000:00:14.0/usb2\($0)/subsystem"
            })

        /// Reads the devices above a sensor, and returns why it is rejected; nil if it is not.
        func rejection(
            _ path: String, _ properties: [SensorProperty: String] = [:], input: InputAttributes? = nil
        ) -> String? {
            var attributes = SensorAttributes(properties: properties, input: input)
            attributes.addSurroundings(
                path: path, line: { lines[$0] },
                names: { folder in
                    // The names below a folder, from the paths of the files.
                    lines.keys.filter { $0.hasPrefix(folder + "/") }.map { path in
                        String(path.dropFirst(folder.count + 1).prefix { $0 != "/" })
                    }
                },
                linkName: { Self.onUSB.contains($0) ? "usb" : "platform" })
            return SensorTraits(attributes).rejection
        }
    }

    private static let usb = "/sys/devices/pci0000:00/0000:00:14.0/usb2/2-1"
    private static let sensor = "\(usb)/2-1:1.5/0003:8086:0B3A.0009/HID-SENSOR-200073.1.auto/iio:device0"

    private static let unmarked =
        "on the USB device 2-1, which is not marked as built in (if it is, set ACCEL_LOCATION in udev)"

    @Test(
        arguments: [
            ("removable", "on the removable device 2-1"),
            ("unknown", unmarked), (nil, unmarked), ("fixed", nil),
        ] as [(String?, String?)])
    func `a sensor on USB is rejected unless the device is fixed`(removable: String?, rejection: String?) {
        var files = Files()
        files.lines["\(Self.usb)/removable"] = removable
        #expect(files.rejection(Self.sensor) == rejection)
    }

    @Test func `a location in udev overrides it, a mount matrix does not`() {
        let files = Files(lines: ["\(Self.usb)/removable": "removable"])
        #expect(files.rejection(Self.sensor, [.location: "display"]) == nil)
        #expect(files.rejection(Self.sensor, [.mountMatrix: "1,0,0;0,1,0;0,0,1"]) != nil)
        #expect(files.rejection(Self.sensor, [.location: "garden"]) != nil)
    }

    @Test(
        arguments: [
            ("fixed", nil), ("unknown", nil), (nil, nil), ("removable", "on the removable device 2-1"),
        ] as [(String?, String?)])
    func `a mount matrix for an input device replaces the mark that it is built in`(
        removable: String?, rejection: String?
    ) {
        var files = Files()
        files.lines["\(Self.usb)/removable"] = removable
        let sensor = "\(Self.usb)/2-1:1.2/0003:28DE:1205.0003/input/input18/event9"
        let input = InputAttributes(axes: "3f", keys: "0", bus: "0003", sibling: "Steam Deck")
        let matrix: [SensorProperty: String] = [.mountMatrix: "0,-1,0;1,0,0;0,0,1"]
        #expect(files.rejection(sensor, matrix, input: input) == rejection)
        #expect(files.rejection(sensor, [.mountMatrix: "0 -1 0"], input: input)?.hasPrefix("part of a game") == true)
        files.lines["\(Self.usb)/2-1:1.0/bInterfaceClass"] = "0e"
        #expect(files.rejection(sensor, matrix, input: input) == "part of the camera 2-1")
    }

    @Test func `a fixed device in a removable hub is rejected`() {
        let hub = Self.usb
        let sensor = "\(hub)/2-1.4/2-1.4:1.0/i2c-9/9-0018/iio:device0"
        var files = Files(lines: ["\(hub)/removable": "removable", "\(hub)/2-1.4/removable": "fixed"])
        #expect(files.rejection(sensor) == "on the removable device 2-1")
        files.lines["\(hub)/removable"] = nil
        #expect(files.rejection(sensor) == Self.unmarked)
        files.lines["\(hub)/removable"] = "fixed"
        #expect(files.rejection(sensor) == nil)
    }

    @Test(arguments: [
        "/sys/devices/platform/AMDI0010:00/i2c-1/i2c-KIOX000A:00/iio:device0",
        "/sys/devices/pci0000:00/0000:00:13.0/{33AECD58-B679-4E54-9BD9-A04D34F0C226}/001F:8087:0AC2.0003/HID-SENSOR-200073.3.auto/iio:device4",
        "/sys/devices/virtual/misc/uhid/0003:8086:0B3A.0009/HID-SENSOR-200073.1.auto/iio:device0",
        // Names like those of USB devices, on other buses.
        "/sys/devices/platform/ff200000.spi/spi_master/spi2/spi2.0/cros-ec-dev.0.auto/cros-ec-sensorhub.5.auto/cros-ec-accel.12.auto/iio:device3",
        "/sys/devices/platform/soc/11012000.spi/spi_master/spi2/spi2.0/iio:device0",
        "/sys/devices/platform/soc@0/5c00000.remoteproc/5c00000.remoteproc:glink-edge/5c00000.remoteproc:glink-edge.sns.-1.-1/qcom_smgr.1/iio:device0",
        "/sys/devices/platform/soc/soc:i2c-gpio/i2c-5/5-0018/iio:device0",
        "/sys/devices/platform/1c2ac00.i2c/1c2ac00.i2c:mux/i2c-5/5-0018/iio:device0",
        "/sys/devices/pci0005:00/0005:01:00.0/i2c-3/3-0018/iio:device0", "/sys/devices/iio:device0", "", "/",
    ])
    func `a sensor on another bus is not rejected`(path: String) {
        #expect(Files().rejection(path) == nil)
    }

    @Test func `a removable device on another bus, and one on Bluetooth, is rejected`() {
        let dock = "/sys/devices/pci0000:00/0000:00:1c.0/0000:04:00.0"
        let files = Files(lines: ["\(dock)/removable": "removable"])
        #expect(files.rejection("\(dock)/i2c-7/7-0018/iio:device0") == "on the removable device 0000:04:00.0")
        let headset = "/sys/devices/virtual/misc/uhid/0005:054C:0CE6.0003/HID-SENSOR-200073.1.auto/iio:device0"
        #expect(Files().rejection(headset) == "on the Bluetooth device 0005:054C:0CE6.0003")
    }

    /// Returns what follows for a sensor in a machine with this chassis type in the DMI.
    private func traits(_ attributes: SensorAttributes, chassis: Int?) -> SensorTraits {
        var attributes = attributes
        attributes.addSurroundings(
            path: nil, line: { $0 == "/sys/class/dmi/id/chassis_type" ? chassis.map { "\($0)" } : nil },
            names: { _ in [] }, linkName: { _ in nil })
        return SensorTraits(attributes)
    }

    @Test(
        arguments: [
            (8, "base"), (9, "base"), (10, "base"), (14, "base"), (31, "display"), (30, "display"), (nil, "display"),
        ] as [(Int?, String)])
    func `lis3lv02d is in the base of notebooks`(chassis: Int?, location: String) {
        var attributes = SensorAttributes(
            input: InputAttributes(name: "ST LIS3LV02DL Accelerometer", axes: "7", keys: "0", bus: "0019"))
        let found = traits(attributes, chassis: chassis)
        #expect(found.location == location)
        #expect((found.rejection == nil) == (location == "display"))
        attributes.properties[.location] = "display"
        #expect(traits(attributes, chassis: chassis).rejection == nil)
    }

    @Test func `the free-fall sensor of Toshiba's firmware is known by its driver`() {
        let attributes = SensorAttributes(driver: "toshiba_acpi", contents: ["name": .text("Toshiba accelerometer")])
        #expect(traits(attributes, chassis: 10).location == "base")
        #expect(traits(attributes, chassis: 31).location == "display")
    }
}
