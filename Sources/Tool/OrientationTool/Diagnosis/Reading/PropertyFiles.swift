// SPDX-License-Identifier: Apache-2.0

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
        let lines = Self.folders.flatMap { folder in
            root.entries(folder).flatMap { name in
                (root.text("\(folder)/\(name)") ?? "").split(separator: "\n")
                    .filter { line in
                        !line.hasPrefix("#") && SensorProperty.allCases.contains { line.contains($0.rawValue) }
                    }
                    .map { (file: "\(folder)/\(name)", line: $0) }
            }
        }
        for index in devices.indices {
            for (property, value) in devices[index].udev.sensorProperties {
                let found = lines.filter { $0.line.contains(property.rawValue) && $0.line.contains(value) }.map(\.file)
                devices[index].places[property] = found.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
            }
        }
    }
}
