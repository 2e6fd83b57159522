// SPDX-License-Identifier: Apache-2.0

/// A device above a sensor in sysfs. These devices show whether the sensor is built in.
package struct ParentDevice: Hashable, Sendable {
    /// The name of its folder, such as `2-1`.
    package var name: String
    /// The name of a USB device for users; nil if it states none.
    package var product: String?
    /// The attribute `removable`: `removable`, `fixed` or `unknown`; nil without it.
    package var removable: String?
    /// Whether it is on USB. Interfaces and root hubs do not count.
    package var isUSB = false
    /// Whether an interface of the USB device is for video.
    package var hasVideo = false

    /// Reads the devices above a sensor, the nearest first. `path` is the folder of the sensor in `/sys/devices`, with all
    /// links resolved; `linkName` returns the last component of a link's target, nil without one; for the others see
    /// ``InputAttributes/init(node:line:names:)``.
    package static func above(
        _ path: String, line: (_ path: String) -> String?, names: (_ folder: String) -> [String],
        linkName: (_ path: String) -> String?
    ) -> [ParentDevice] {
        let parts = path.split(separator: "/").map(String.init)
        // An emulation may put a folder before /sys.
        guard let root = parts.indices.dropLast().first(where: { parts[$0] == "sys" && parts[$0 + 1] == "devices" })
        else { return [] }
        return (root + 2..<parts.count).dropLast().reversed().map { index in
            let (name, folder) = (parts[index], "/" + parts[root...index].joined(separator: "/"))
            // The names are no evidence: spi2/spi2.0 is no USB device. An interface is 2-1:1.5, a root hub usb2.
            let isUSB =
                !name.hasPrefix("usb") && !name.contains(":") && linkName("\(folder)/subsystem") == "usb"
            let interfaces = isUSB ? names(folder).filter { $0.hasPrefix(name + ":") } : []
            return ParentDevice(
                name: name, product: isUSB ? line("\(folder)/product") : nil, removable: line("\(folder)/removable"),
                isUSB: isUSB, hasVideo: interfaces.contains { line("\(folder)/\($0)/bInterfaceClass") == "0e" })
        }
    }

    /// Whether it is a HID device on Bluetooth, such as `0005:054C:0CE6.0003`; a PCI address is shorter.
    private var isBluetooth: Bool { name.hasPrefix("0005:") && name.utf8.count == "0005:054C:0CE6.0003".utf8.count }

    private var title: String { product.map { "\(name) (\($0.shortened))" } ?? name }

    /// Why a sensor below the device is known not to be part of the machine; nil if it may be.
    var exclusion: String? {
        if hasVideo { return "part of the camera \(title)" }
        if removable == "removable" { return "on the removable device \(title)" }
        return isBluetooth ? "on the Bluetooth device \(title)" : nil
    }

    /// Why a sensor below the device is not used without a statement about it; nil if it is.
    var rejection: String? {
        if let exclusion { return exclusion }
        guard isUSB, removable != "fixed" else { return nil }
        return "on the USB device \(title), which is not marked as built in (if it is, set ACCEL_LOCATION in udev)"
    }
}

extension SensorAttributes {
    /// Adds the devices above the sensor, and the kind of the machine; see
    /// ``ParentDevice/above(_:line:names:linkName:)``.
    package mutating func addSurroundings(
        path: String?, line: (_ path: String) -> String?, names: (_ folder: String) -> [String],
        linkName: (_ path: String) -> String?
    ) {
        parents = path.map { ParentDevice.above($0, line: line, names: names, linkName: linkName) } ?? []
        isInNotebook = Chassis.isNotebook(line: line, names: names)
    }
}
