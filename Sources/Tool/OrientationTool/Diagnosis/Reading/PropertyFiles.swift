// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel

/// Finds the files that set udev's properties of the sensors.
struct PropertyFiles {
    private let root: SystemRoot

    /// In the order of precedence.
    private static let folders = ["/etc/udev", "/run/udev", "/usr/local/lib/udev", "/usr/lib/udev", "/lib/udev"]
        .flatMap { ["\($0)/rules.d", "\($0)/hwdb.d"] }

    init(_ root: SystemRoot) {
        self.root = root
    }

    /// Finds, for each property of the devices, the files with a line that has its name and its value.
    func find(in devices: inout [DeviceFacts]) {
        guard devices.contains(where: { !$0.udev.sensorProperties.isEmpty }) else { return }
        var lines: [(file: String, line: String)] = []
        // /lib is a link to /usr/lib on most systems.
        for folder in Self.folders where !folder.hasPrefix("/lib/") || root.link("/lib") == nil {
            for path in root.entries(folder).map({ "\(folder)/\($0)" }) {
                lines += propertyLines(of: path).map { (path, $0) }
            }
        }
        for index in devices.indices {
            for (property, value) in devices[index].udev.sensorProperties {
                let found = lines.filter { strstr($0.line, property.rawValue) != nil && strstr($0.line, value) != nil }
                    .map(\.file)
                devices[index].places[property] = found.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
            }
        }
    }

    /// Returns the lines with the name of a property.
    private func propertyLines(of path: String) -> [String] {
        // Most files have none, and some have megabytes.
        let hasProperty = { (text: String) in SensorProperty.allCases.contains { strstr(text, $0.rawValue) != nil } }
        guard let text = root.text(path), hasProperty(text) else { return [] }
        return text.utf8.split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }
            .map { String(Substring($0)) }.filter(hasProperty)
    }
}
