// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire
import Posix

/// A file for the folder `machines` of the project, in TOML: the facts by which the tests emulate this machine. What is expected
/// is left to the reporter: it must not come from this program.
struct MachineFile {
    private(set) var lines: [String] = []

    init(_ root: SystemRoot, _ facts: MachineFacts) {
        let dmi = { (name: String) in root.line("/sys/class/dmi/id/\(name)") }
        let names = ["sys_vendor", "product_name"].compactMap(dmi) + Self.deviceTree("model", root)
        add("machine", names.joined(separator: " "))
        add("seen", "reported by a user, \(WallClock.utc.prefix(10)), version \(Version.current)")
        lines += ["source = [\"a report of orientationctl doctor\"]", "", "[identity]"]
        // What the hardware database matches.
        let fields = ["product_version", "product_sku", "board_vendor", "board_name", "bios_version", "chassis_type"]
        add("dmi", ["sys_vendor", "product_name"] + fields, dmi)
        let tree = Self.deviceTree("compatible", root).map(Self.quoted)
        if !tree.isEmpty { lines.append("compatible = [\(tree.joined(separator: ", "))]") }
        add("chassis", Self.deviceTree("chassis-type", root).first)
        for device in facts.accelerometers { add(device, modalias: root.line("\(device.folder)/../modalias")) }
        let devices = root.entries(SensorAttributes.devices).map { root.line("\(SensorAttributes.devices)/\($0)/name") }
        for (name, channel) in [("hinge", "hinge"), ("cros-ec-lid-angle", "angl")] where devices.contains(name) {
            lines += ["", "[[iio]]", "channels = [\"\(channel)\"]", "attributes = { name = \"\(name)\" }"]
        }
        let kernel = KernelReader(root: root, release: "")
        for node in kernel.eventNodes {
            let device = facts.inputAccelerometers.first { $0.id == node }
            add(kernel, node, root.realPath("/sys/class/input/\(node)") ?? "", device?.attributes.parents ?? [])
        }
        let hinges = kernel.driverlessHinges.map(Self.quoted)
        if !hinges.isEmpty { lines += ["", "[hub]", "driverless = [\(hinges.joined(separator: ", "))]"] }
        if let core = facts.sensorCore {
            let properties = root.udevRecord(of: "/sys/class/\(SensorCore.subsystem)/\(core)").properties
            lines += ["", "[ssc]"]
            add("node", core)
            add("udev", SensorProperty.allCases.map(\.rawValue)) { properties[$0] }
        }
        for card in root.entries("/sys/class/drm") where root.line("/sys/class/drm/\(card)/status") == "connected" {
            lines += ["", "[[connector]]"]
            add("name", String(card.drop { $0 != "-" }.dropFirst()))
            add("mode", root.line("/sys/class/drm/\(card)/modes"))
        }
        lines += [
            "", "# Please add the edges that you held up, with the chip's own readings in g (m/s² divided by 9.81),",
            "# such as: up = { top = [0, -1, 0], left = [1, 0, 0] }", "[expected]",
        ]
    }

    private mutating func add(_ device: DeviceFacts, modalias: String?) {
        let parts = device.path.split(separator: "/").dropFirst(2).map(String.init)
        add(device.attributes.parents, parts)
        lines += ["", "[[iio]]"]
        add("driver", device.attributes.driver)
        add("modalias", modalias)
        add("path", parts.dropLast().joined(separator: "/"))
        add("trigger", device.text("trigger/current_trigger"))
        if device.files["in_anglvel_x_raw"] != nil { lines.append("channels = [\"accel\", \"anglvel\"]") }
        add("attributes", SensorAttributes.names + ["in_accel_scale"], device.text)
        add("udev", SensorProperty.allCases.map(\.rawValue)) { device.udev.properties[$0] }
    }

    /// Adds the USB devices above a sensor, once each; `parts` is the path of the sensor below /sys/devices.
    private mutating func add(_ parents: [ParentDevice], _ parts: [String]) {
        for parent in parents where parent.isUSB {
            let path = (parts.prefix { $0 != parent.name } + [parent.name]).joined(separator: "/")
            guard !lines.contains("path = \(Self.quoted(path))") else { continue }
            lines += ["", "[[usb]]"] + (parent.hasVideo ? ["video = true"] : [])
            add("path", path)
            add("removable", parent.removable)
        }
    }

    /// Adds an event node that has a tablet switch, or that is an accelerometer, a keyboard or a game controller for udev.
    private mutating func add(_ kernel: KernelReader, _ node: String, _ path: String, _ parents: [ParentDevice]) {
        let (device, properties) = (kernel.attributes(of: node), kernel.record(ofInput: node).properties)
        let kinds = ["ID_INPUT_ACCELEROMETER", Chassis.keyboardProperty, Chassis.joystickProperty]
            .filter { properties[$0] == "1" }
        guard device.hasTabletSwitch || !kinds.isEmpty else { return }
        let parts = path.split(separator: "/devices/", maxSplits: 1).last?.split(separator: "/").map(String.init) ?? []
        add(parents, parts)
        lines += ["", "[[input]]"]
        for (name, text) in [
            ("name", device.name), ("bus", device.bus), ("abs", device.axes), ("keys", device.keys),
            ("switches", device.switches), ("sibling", device.sibling),
            ("path", parts.dropLast(3).joined(separator: "/")),
        ] { add(name, text) }
        add("udev", kinds + ["ID_INPUT_SWITCH"] + SensorProperty.allCases.map(\.rawValue)) { properties[$0] }
    }

    private mutating func add(_ name: String, _ text: String?) {
        if let text, !text.isEmpty { lines.append("\(name) = \(Self.quoted(text))") }
    }

    private mutating func add(_ name: String, _ keys: [String], _ text: (String) -> String?) {
        let stated = keys.compactMap { key in text(key).map { "\(key) = \(Self.quoted($0))" } }
        if !stated.isEmpty { lines.append("\(name) = { \(stated.joined(separator: ", ")) }") }
    }

    static func deviceTree(_ name: String, _ root: SystemRoot) -> [String] {
        (root.text("/sys/firmware/devicetree/base/\(name)") ?? "").split(separator: "\0").map(String.init)
    }

    private static func quoted(_ text: String) -> String {
        "\"\(text.replacingControls().replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    /// The entries about accelerometers in the machine's own hardware database, which systemd's may lack.
    static func entries(_ root: SystemRoot) -> [String] {
        let texts = root.entries("/etc/udev/hwdb.d").compactMap { root.text("/etc/udev/hwdb.d/\($0)") }
        return texts.filter { $0.contains(" ACCEL_") }.flatMap { $0.split(separator: "\n").map(String.init) }
    }
}
