// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A machine with accelerometers that are not there: umockdev's /sys and /dev under the real libiio and the real
/// libudev.
struct Machine {
    /// One IIO device.
    struct Device {
        /// The number N of `iio:deviceN`.
        var number = 0
        /// The kernel driver of its parent.
        var driver = "kxcjk1013"
        /// What its parent is looked up by in udev's hardware database.
        var modalias: String?
        /// sysfs attributes; the kernel ends each with a new line, and so does this.
        var attributes: [String: String]
        /// udev's properties.
        var properties: [String: String] = [:]
        /// The trigger of its own that its driver registers.
        var trigger: String?
        /// Whether it has a node in /dev, which its scans are written to by the test.
        var hasNode = false

        /// A chip that lies upright in the device: a twentieth of m/s² per unit, and the matrix that such a chip gets
        /// from the hardware database.
        static let upright = Device(
            attributes: [
                "name": "kxcjk1013", "in_accel_x_raw": "0", "in_accel_y_raw": "196", "in_accel_z_raw": "0",
                "in_accel_scale": "0.05", "label": "accel-display",
            ],
            properties: ["ACCEL_MOUNT_MATRIX": "-1, 0, 0; 0, -1, 0; 0, 0, -1"])

        var path: String { "\(chip)/iio:device\(number)" }
        /// What it is a part of.
        var chip: String { "/devices/platform/chip\(number)" }

        var description: String {
            let properties = properties.sorted { $0.key < $1.key }.map { "E: \($0.key)=\($0.value)\n" }.joined()
            let attributes = attributes.sorted { $0.key < $1.key }.map { "A: \($0.key)=\($0.value)\\n\n" }.joined()
            return """
                P: \(chip)
                E: SUBSYSTEM=platform
                L: driver=../../../bus/platform/drivers/\(driver)\(modalias.map { "\nA: modalias=\($0)\\n" } ?? "")

                P: \(path)
                E: DEVNAME=/dev/iio:device\(number)
                E: DEVTYPE=iio_device
                E: SUBSYSTEM=iio
                \(properties)\(attributes)
                \(trigger.map { "P: /devices/trigger\(number)\nE: SUBSYSTEM=iio\nA: name=\($0)\\n\n" } ?? "")
                """
        }

        /// A pipe in the place of the node: it can be polled as the kernel's can.
        fileprivate var makesNode: String {
            let folder = "\"$UMOCKDEV_DIR/dev\""
            return hasNode ? "mkdir -p \(folder) && mkfifo \(folder)/iio:device\(number) && " : ""
        }
    }

    /// Where umockdev keeps the machine's /sys.
    let root: String
    /// umockdev, which ends when the program in it does.
    let program: RunningProgram
    /// The process that runs in the machine.
    let identifier: Int32

    /// Runs a shell command line in a machine with these devices; with `input` it can be written to.
    init(_ devices: [Device], in folder: TemporaryFolder, running command: String, input: Bool = false) throws {
        let file = try folder.write(devices.map(\.description).joined(separator: "\n"), to: "machine.umockdev")
        let nodes = devices.map(\.makesNode).joined()
        // The folder has to be known outside, to move the device about.
        program = try RunningProgram(
            "/usr/bin/umockdev-run",
            ["-d", file, "--", "sh", "-c", "echo \"$UMOCKDEV_DIR\"; \(nodes)echo $$; \(command)"],
            keepsInput: input)
        guard let root = try program.line(), let identifier = try program.line().flatMap({ Int32($0) }) else {
            throw Surprise("umockdev: \(program.errorText)")
        }
        self.root = root
        self.identifier = identifier
        program.endsWith = identifier
    }

    /// Changes attributes of a device, while it is being read.
    func set(_ device: Device, _ values: [String: Int]) throws {
        for (name, value) in values { try set(device, name, to: "\(value)") }
    }

    /// Changes an attribute of a device to any text.
    func set(_ device: Device, _ name: String, to text: String) throws {
        try Self.write(text, to: "\(root)/sys\(device.path)/\(name)")
    }

    static func write(_ text: String, to file: String) throws {
        // In place, as the kernel does it: a file that is replaced would be another one to whoever has it open, and one
        // that is emptied first would be read so.
        guard let handle = FileHandle(forWritingAtPath: file) else { throw Surprise("there is no \(file)") }
        try handle.write(contentsOf: Data("\(text)\n".utf8))
        try handle.truncate(atOffset: handle.offset())
        try handle.close()
    }

    /// What an attribute of a device reads now.
    func value(_ device: Device, _ name: String) throws -> String {
        let text = try String(contentsOfFile: "\(root)/sys\(device.path)/\(name)", encoding: .utf8)
        // libiio writes a NUL at the end, and a file that is not the kernel's keeps it.
        return String(text.prefix { $0 != "\0" && !$0.isNewline })
    }

    /// Holds a device with its `up` axis upwards, in units of the chip that is ``Device/upright``.
    func hold(_ device: Device, _ x: Int, _ y: Int, _ z: Int) throws {
        try set(device, ["in_accel_x_raw": x * 196, "in_accel_y_raw": y * 196, "in_accel_z_raw": z * 196])
    }
}
