// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A machine with emulated accelerometers: umockdev's /sys and /dev under the real libiio and libudev.
struct Machine {
    /// One IIO device.
    struct Device {
        /// The number N of `iio:deviceN`.
        var number = 0
        /// The kernel driver of its parent.
        var driver = "kxcjk1013"
        /// The modalias of its parent, by which the hardware database is searched.
        var modalias: String?
        /// sysfs attributes, without the newline that is appended to each.
        var attributes: [String: String]
        /// udev's properties.
        var properties: [String: String] = [:]
        /// The trigger that its driver registers.
        var trigger: String?
        /// Whether it has a node in /dev, to which the test writes scans.
        var hasNode = false
        /// The USB device that contains it; nil for a chip on the board.
        var usb: USBDevice?
        /// Whether it is a platform device instead of an IIO device.
        private(set) var isOnPlatform = false

        /// The same attributes on a platform device.
        var onPlatform: Device {
            var device = self
            device.isOnPlatform = true
            return device
        }

        init(
            number: Int = 0, driver: String = "kxcjk1013", modalias: String? = nil, attributes: [String: String],
            properties: [String: String] = [:], trigger: String? = nil, hasNode: Bool = false
        ) {
            self.number = number
            self.driver = driver
            self.modalias = modalias
            self.attributes = attributes
            self.properties = properties
            self.trigger = trigger
            self.hasNode = hasNode
        }

        /// A chip that is mounted upright, with 0.05 m/s² per unit and its matrix from the hardware database.
        static let upright = Device(
            attributes: [
                "name": "kxcjk1013", "in_accel_x_raw": "0", "in_accel_y_raw": "196", "in_accel_z_raw": "0",
                "in_accel_scale": "0.05", "label": "accel-display",
            ],
            properties: ["ACCEL_MOUNT_MATRIX": "-1, 0, 0; 0, -1, 0; 0, 0, -1"])

        var path: String { isOnPlatform ? chip : "\(chip)/iio:device\(number)" }
        /// The path of its parent.
        var chip: String { "\(usb?.interface ?? "/devices/platform")/chip\(number)" }

        /// The attributes in the order in which umockdev adds them. Unlike the kernel, it shows the device first: a sensor is found
        /// by its reading, which therefore comes after its scale.
        private var orderedAttributes: [(key: String, value: String)] {
            let sorted = attributes.sorted { $0.key < $1.key }
            return sorted.filter { !$0.key.hasSuffix("_raw") } + sorted.filter { $0.key.hasSuffix("_raw") }
        }

        var description: String {
            let properties = properties.sorted { $0.key < $1.key }.map { "E: \($0.key)=\($0.value)\n" }.joined()
            let attributes = orderedAttributes.map { "A: \($0.key)=\($0.value)\\n\n" }.joined()
            if isOnPlatform { return "P: \(chip)\nE: SUBSYSTEM=platform\n\(attributes)" }
            let root = String(repeating: "../", count: chip.count { $0 == "/" })
            return (usb?.description ?? "") + """
                P: \(chip)
                E: SUBSYSTEM=platform
                L: driver=\(root)bus/platform/drivers/\(driver)\(modalias.map { "\nA: modalias=\($0)\\n" } ?? "")

                P: \(path)
                E: DEVNAME=/dev/iio:device\(number)
                E: DEVTYPE=iio_device
                E: SUBSYSTEM=iio
                \(properties)\(attributes)
                \(trigger.map { "P: /devices/trigger\(number)\nE: SUBSYSTEM=iio\nA: name=\($0)\\n\n" } ?? "")
                """
        }

        /// Shell commands that create a FIFO as the node: it supports poll(2), as the kernel's node does.
        fileprivate var makesNode: String {
            let folder = "\"$UMOCKDEV_DIR/dev\""
            return hasNode ? "mkdir -p \(folder) && mkfifo \(folder)/iio:device\(number) && " : ""
        }
    }

    /// A USB device with a sensor.
    struct USBDevice {
        /// The port.
        var name = "2-1"
        /// The attribute `removable`; nil without it.
        var removable: String?

        private var path: String { "/devices/pci0000:00/0000:00:14.0/usb2/2-1" }
        /// The interface of the sensor.
        var interface: String { "\(path)/2-1:1.5" }

        var description: String {
            let attribute = removable.map { "A: removable=\($0)\\n\n" } ?? ""
            let device = "P: \(path)\nE: SUBSYSTEM=usb\nA: product=Test Camera\\n\n\(attribute)\n"
            return device + "P: \(interface)\nE: SUBSYSTEM=usb\nA: bInterfaceClass=03\\n\n\n"
        }
    }

    /// A connector of a graphics card, with what is connected to it.
    struct Display {
        /// The name without that of the card, for example `eDP-1`.
        var name: String
        /// The modes, the preferred one first.
        var modes: [String]

        var path: String { "/devices/pci0000:00/drm/card0/card0-\(name)" }

        var description: String {
            """
            P: \(path)
            E: SUBSYSTEM=drm
            E: DEVTYPE=drm_connector
            A: status=connected\\n
            A: enabled=enabled\\n
            A: modes=\(modes.map { "\($0)\\n" }.joined())

            """
        }
    }

    /// The directory with the machine's /sys.
    let root: String
    /// umockdev-run, which ends with the program in it.
    let program: RunningProgram
    /// The process that runs in the machine.
    let identifier: Int32

    /// Runs a shell command line in a machine with these devices; `input` keeps its standard input open.
    init(
        _ devices: [Device], displays: [Display] = [], inputs: [InputDevice] = [],
        in folder: TemporaryDirectory, running command: String, input: Bool = false
    ) throws {
        let descriptions = devices.map(\.description) + displays.map(\.description) + inputs.map(\.description)
        let file = try folder.write(descriptions.joined(separator: "\n"), to: "machine.umockdev")
        let nodes = devices.map(\.makesNode).joined() + inputs.map(\.makesNode).joined()
        let answers = try inputs.flatMap { input in
            ["-i", "\(input.node)=\(try folder.write(input.answers, to: "event\(input.number).ioctl"))"]
        }
        // The test changes attributes in this directory.
        program = try RunningProgram(
            "/usr/bin/umockdev-run",
            ["-d", file] + answers + ["--", "sh", "-c", "echo \"$UMOCKDEV_DIR\"; \(nodes)echo $$; \(command)"],
            keepsInput: input)
        guard let root = try program.line(), let identifier = try program.line().flatMap({ Int32($0) }) else {
            throw TestFailure("umockdev: \(program.errorText)")
        }
        self.root = root
        self.identifier = identifier
        program.childIdentifier = identifier
    }

    /// Changes attributes of a device while it is read.
    func set(_ device: Device, _ values: [String: Int]) throws {
        for (name, value) in values { try set(device, name, to: "\(value)") }
    }

    /// Changes an attribute of a device.
    func set(_ device: Device, _ name: String, to text: String) throws {
        try Self.write(text, to: "\(root)/sys\(device.path)/\(name)")
    }

    static func write(_ text: String, to file: String) throws {
        // In place, as in the kernel: readers keep the file open, and must not read it empty.
        guard let handle = FileHandle(forWritingAtPath: file) else { throw TestFailure("cannot open \(file)") }
        try handle.write(contentsOf: Data("\(text)\n".utf8))
        try handle.truncate(atOffset: handle.offset())
        try handle.close()
    }

    /// Returns the current value of an attribute of a device.
    func value(_ device: Device, _ name: String) throws -> String {
        let text = try String(contentsOfFile: "\(root)/sys\(device.path)/\(name)", encoding: .utf8)
        // libiio writes a trailing NUL, which a regular file keeps.
        return String(text.prefix { $0 != "\0" && !$0.isNewline })
    }

    /// Sets the readings of ``Device/upright`` for a pose; x, y and z are the direction that points up.
    func hold(_ device: Device, _ x: Int, _ y: Int, _ z: Int) throws {
        try set(device, ["in_accel_x_raw": x * 196, "in_accel_y_raw": y * 196, "in_accel_z_raw": z * 196])
    }
}
