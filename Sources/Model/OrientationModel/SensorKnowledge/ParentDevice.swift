// SPDX-License-Identifier: Apache-2.0

/// A device above a sensor in sysfs. These devices show whether the sensor is built in.
package struct ParentDevice: Hashable, Sendable {
    /// The name of its folder, such as `2-1`.
    package var name: String
    /// The name of a USB device for users; nil if it states none.
    package var product: String?
    /// The attribute `removable`: `removable`, `fixed` or `unknown`; nil without it.
    package var removable: String?
    package var isUSB: Bool
    /// Whether an interface of the USB device is for video.
    package var hasVideo: Bool

    package init(
        name: String, product: String? = nil, removable: String? = nil, isUSB: Bool = false, hasVideo: Bool = false
    ) {
        self.name = name
        self.product = product
        self.removable = removable
        self.isUSB = isUSB
        self.hasVideo = hasVideo
    }

    /// Reads the devices above a sensor, the nearest first. `path` is the folder of the sensor in `/sys/devices`, with all
    /// links resolved; for the others see ``InputAttributes/init(node:line:names:)``.
    package static func above(
        _ path: String, line: (_ path: String) -> String?, names: (_ folder: String) -> [String]
    ) -> [ParentDevice] {
        let parts = path.split(separator: "/").map(String.init)
        // An emulation may put a folder before /sys.
        guard let root = parts.indices.dropLast().first(where: { parts[$0] == "sys" && parts[$0 + 1] == "devices" })
        else { return [] }
        return (root + 2..<parts.count).dropLast().reversed().map { index in
            let (name, folder) = (parts[index], "/" + parts[root...index].joined(separator: "/"))
            // Below a USB device is an interface, as in 2-1/2-1:1.5, or a device on a port of the hub, as in 2-1/2-1.4. Devices
            // of a device tree have such names, too: soc/soc:i2c-gpio.
            let isUSB = isNameOfUSB(name) && [":", "."].contains { parts[index + 1].hasPrefix(name + $0) }
            let interfaces = isUSB ? names(folder).filter { $0.hasPrefix(name + ":") } : []
            return ParentDevice(
                name: name, product: isUSB ? line("\(folder)/product") : nil, removable: line("\(folder)/removable"),
                isUSB: isUSB, hasVideo: interfaces.contains { line("\(folder)/\($0)/bInterfaceClass") == "0e" })
        }
    }

    /// Returns whether a name has the form of a USB device's, as in 2-1.4: the bus, and the ports from hub to hub.
    private static func isNameOfUSB(_ name: String) -> Bool {
        name.contains("-") && name.utf8.allSatisfy { 48...57 ~= $0 || "-.".utf8.contains($0) }
    }

    /// Whether it is a HID device on Bluetooth, such as `0005:054C:0CE6.0003`; a PCI address is shorter.
    private var isBluetooth: Bool { name.hasPrefix("0005:") && name.utf8.count == "0005:054C:0CE6.0003".utf8.count }

    /// Why a sensor below the device is not part of the machine; nil if it may be.
    var rejection: String? {
        let title = product.map { "\(name) (\($0.shortened))" } ?? name
        if hasVideo { return "part of the camera \(title)" }
        if removable == "removable" { return "on the removable device \(title)" }
        if isUSB, removable != "fixed" { return "on the USB device \(title), which is not marked as built in" }
        return isBluetooth ? "on the Bluetooth device \(title)" : nil
    }
}

extension SensorAttributes {
    /// Adds the devices above the sensor, and the kind of the machine; see ``ParentDevice/above(_:line:names:)``.
    package mutating func addSurroundings(
        path: String?, line: (_ path: String) -> String?, names: (_ folder: String) -> [String]
    ) {
        parents = path.map { ParentDevice.above($0, line: line, names: names) } ?? []
        isInNotebook = Chassis.isNotebook(line: line, names: names)
    }
}
