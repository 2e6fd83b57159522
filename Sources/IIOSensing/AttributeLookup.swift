// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Sensing

/// Looks up facts about a sensor that have several possible sources: the first valid value is used. An invalid value is
/// skipped, with a warning that names its source.
struct AttributeLookup {
    let device: IIODevice
    let udev: UdevLookup

    init(device: IIODevice, facts: HardwareFacts) {
        self.device = device
        udev = UdevLookup(device: device.id, facts: facts)
    }

    /// Returns the mount matrix and its source.
    func mountMatrix(warnings: inout [String]) -> (matrix: MountMatrix, source: String) {
        let property = udev.value(of: .mountMatrix)
        let places: [(source: String, attribute: IIOAttribute)] = [
            ("udev ACCEL_MOUNT_MATRIX", property.map(IIOAttribute.text) ?? .missing),
            ("mount_matrix", device.attribute("mount_matrix")),
            ("in_accel_mount_matrix", device.channel("accel_x")?.attribute("mount_matrix") ?? .missing),
            // libiio lists this attribute as a channel named "mount".
            ("in_mount_matrix", device.channel("mount")?.attribute("matrix") ?? .missing),
        ]
        for (source, attribute) in places {
            switch attribute {
            case .missing: continue
            case .unreadable(let code):
                warnings.append("\(source): cannot read: \(String(cString: strerror(code)))")
            case .text(let text):
                do throws(MountMatrixError) {
                    return (try MountMatrix(parsing: text), source)
                } catch {
                    warnings.append("\(source): \(error)")
                }
            }
        }
        return (.identity, "default")
    }

    /// Returns the location of the sensor in the device.
    func location(warnings: inout [String]) -> String {
        if let location = udev.location(warnings: &warnings) { return location }
        if let label = device.label, let location = Self.location(named: label) { return location }
        if case .text(let text) = device.attribute("location"), let location = Self.location(named: text) {
            return location
        }
        return "display"
    }

    /// Returns the location in a name given by firmware or a driver: `accel-display`, `accel-base`, `lid`; nil for a
    /// name without a location.
    ///
    /// The keyboard and the palm rest are parts of the base. A camera may be rotated against the display.
    static func location(named name: String) -> String? {
        let words = name.lowercased().split { !$0.isLetter }
        let places = [
            "display": "display", "lid": "lid", "base": "base", "keyboard": "base", "palmrest": "base",
            "camera": "camera",
        ]
        return words.lazy.compactMap { places[String($0)] }.first
    }

    /// Adds a warning about an invalid ORIENTATIOND_BUFFER, which is ignored.
    func checkBufferPolicy(warnings: inout [String]) {
        guard let text = udev.value(of: .buffer), text != "0", text != "1" else { return }
        warnings.append("udev ORIENTATIOND_BUFFER: invalid value '\(text)': must be 0 or 1")
    }
}
