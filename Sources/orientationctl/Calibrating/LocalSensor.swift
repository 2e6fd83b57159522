// SPDX-License-Identifier: Apache-2.0

import Calibration
import Glibc

/// An accelerometer of this machine, as sysfs shows it.
struct LocalSensor {
    /// What udev looks it up by.
    let match: SensorMatch

    /// The subsystems of the parents whose modalias counts, as systemd's 60-sensor.rules has them.
    private static let buses: Set<String> = ["usb", "i2c", "platform"]

    /// The device of this id, such as `iio:device0`; nil where this machine has none that udev's rules would match. `root`
    /// stands in front of every path, for a system that is elsewhere.
    init?(id: String, root: String = "") {
        // An id of another source, as `ip:board/iio:device0` or `fake:poses`, is none of this machine's.
        guard id.hasPrefix("iio:device"), !id.contains("/") else { return nil }
        guard let device = Self.resolved("\(root)/sys/bus/iio/devices/\(id)") else { return nil }
        guard let modalias = Self.modalias(above: device) else { return nil }
        match = SensorMatch(
            label: SmallFile.line("\(device)/label"), modalias: modalias,
            dmi: SmallFile.line("\(root)/sys/class/dmi/id/modalias"))
    }

    /// The one device of this name; nil where there is none, or more than one.
    init?(name: String, root: String = "") {
        let folder = "\(root)/sys/bus/iio/devices"
        let ids = SmallFile.names(in: folder).filter { SmallFile.line("\(folder)/\($0)/name") == name }
        guard ids.count == 1 else { return nil }
        self.init(id: ids[0], root: root)
    }

    private static func modalias(above device: String) -> String? {
        var path = device[...]
        while let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            path = path[..<slash]
            guard let bus = resolved("\(path)/subsystem")?.split(separator: "/").last else { continue }
            if buses.contains(String(bus)) { return SmallFile.line("\(path)/modalias") ?? "" }
        }
        return nil
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// Files of a line or two.
enum SmallFile {
    /// What is read of a file at the most: one of sysfs is no longer.
    private static let largest = 4096

    /// Its first line, nil where it cannot be read or the line is empty.
    static func line(_ path: String) -> String? {
        text(path)?.split(whereSeparator: \.isNewline).first.map(String.init)
    }

    /// All of it; nil where it cannot be read.
    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: largest)
        let count = read(descriptor, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// What a folder has in it; nothing where it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
