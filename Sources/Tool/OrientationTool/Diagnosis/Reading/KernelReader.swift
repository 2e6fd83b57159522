// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Posix

/// Reads the kernel's modules, the devices without a driver, the input devices and udev's rule.
struct KernelReader {
    let root: SystemRoot
    let release: String

    private var modules: String { "/lib/modules/\(release)" }

    func kernel() -> KernelFacts {
        var facts = KernelFacts()
        facts.release = release
        facts.hasBus = root.exists("/sys/bus/iio")
        facts.hasModules = root.exists(modules)
        facts.offersBus = ["modules.dep", "modules.builtin"].contains { name in
            root.text("\(modules)/\(name)")?.contains("/industrialio.ko") == true
        }
        // Written by systemd, podman and docker.
        facts.isContainer = ["/run/systemd/container", "/run/.containerenv", "/.dockerenv"].contains(where: root.exists)
        return facts
    }

    /// Returns the devices without a driver for which the kernel has an accelerometer driver, and the chips of sensor makers.
    func driverless() -> [DriverlessDevice] {
        let devices = unclaimed()
        guard !devices.isEmpty, let dependencies = root.text("\(modules)/modules.dep"),
            let aliases = root.text("\(modules)/modules.alias")
        else { return [] }
        let table = DriverTable(dependencies: dependencies, aliases: aliases)
        return devices.compactMap { bus, name, modalias in
            let modules = table.modules(for: modalias)
            guard !modules.isEmpty || DriverlessDevice.isSensor(modalias) else { return nil }
            return DriverlessDevice(
                name: name, bus: bus, modules: modules, loaded: Set(modules.filter { root.exists("/sys/module/\($0)") })
            )
        }
    }

    private func unclaimed() -> [(bus: String, name: String, modalias: String)] {
        var found: [(bus: String, name: String, modalias: String)] = []
        for bus in ["i2c", "spi", "hid", "platform", "acpi"] {
            for name in root.entries("/sys/bus/\(bus)/devices") {
                let folder = "/sys/bus/\(bus)/devices/\(name)"
                guard let modalias = root.line("\(folder)/modalias"), root.link("\(folder)/driver") == nil,
                    bus != "acpi" || isUnbound(folder)
                else { continue }
                found.append((bus, name, modalias))
            }
        }
        return found
    }

    /// Whether an ACPI device is present (its status is not 0) and no bus has a device for it.
    private func isUnbound(_ folder: String) -> Bool {
        root.line("\(folder)/status") != "0" && root.link("\(folder)/physical_node") == nil
    }

    /// Returns the sensor hubs of AMD and Intel that have a driver: its name and the device on PCI.
    func hubs() -> [String] {
        ["pcie_mp2_amd", "intel_ish_ipc"].flatMap { driver in
            root.entries("/sys/bus/pci/drivers/\(driver)").filter { $0.contains(":") }.map { "\(driver) \($0)" }
        }
    }

    /// The processor of a Snapdragon that has the sensors: the name of its node.
    func sensorCore() -> String? {
        SensorCore.devices.first { root.exists("/sys/class/\(SensorCore.subsystem)/\($0)") }
    }

    /// Returns the event nodes with SW_TABLET_MODE.
    func tabletSwitches() -> [(node: String, device: InputAttributes)] {
        eventNodes.map { ($0, attributes(of: $0)) }.filter { $0.1.hasTabletSwitch }
    }

    /// Whether orientation-tablet-switch has created a switch.
    var hasDerivedSwitch: Bool {
        eventNodes.map(attributes).contains { $0.has(.tabletMode) && !$0.hasTabletSwitch }
    }

    /// Intel's hinges of sensor hubs that have no driver.
    var driverlessHinges: [String] {
        let hinges = root.entries(Self.platformFolder).filter { $0.hasPrefix("HID-SENSOR-INT-020b") }
        return hinges.filter { root.linkName("\(Self.platformFolder)/\($0)/driver") == nil }
    }

    private static let platformFolder = "/sys/bus/platform/devices"

    /// Returns the event nodes that udev lists as accelerometers.
    func inputAccelerometers() -> [DeviceFacts] {
        eventNodes.compactMap { node in
            let folder = "\(Self.inputFolder)/\(node)"
            let udev = record(ofInput: node)
            guard udev.properties["ID_INPUT_ACCELEROMETER"] == "1" else { return nil }
            var device = DeviceFacts(id: node, attributes: SensorAttributes(input: attributes(of: node)), udev: udev)
            device.addSurroundings(of: folder, in: root)
            return device
        }
    }

    /// Returns the chassis with the attached keyboards; nil if it has none.
    func chassis() -> Chassis? {
        Chassis(line: root.line) {
            eventNodes.compactMap {
                Chassis.node(
                    $0, record(ofInput: $0).properties, path: root.realPath("\(Self.inputFolder)/\($0)") ?? $0)
            }
        }
    }

    private static let inputFolder = "/sys/class/input"

    var eventNodes: [String] { root.entries(Self.inputFolder).filter { $0.hasPrefix("event") } }

    func attributes(of node: String) -> InputAttributes {
        InputAttributes(node: node, line: root.line, names: root.entries)
    }

    /// Returns udev's entry of an event node.
    func record(ofInput node: String) -> UdevRecord { root.udevRecord(of: "\(Self.inputFolder)/\(node)") }

    /// Returns the state of udev and its rule for the daemon, searching the folders in udev's order.
    func udev() -> UdevFacts {
        var facts = UdevFacts()
        facts.isRunning = root.exists("/run/udev/control")
        let folders = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"].map { "\($0)/udev/rules.d" }
        facts.rule = folders.map { "\($0)/\(UdevFacts.ruleName)" }.first { root.exists($0) }
        facts.isRuleMasked = facts.rule.flatMap { root.text($0) }?.isEmpty == true
        return facts
    }
}
