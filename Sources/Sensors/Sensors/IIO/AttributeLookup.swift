// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel

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
        var stated: String?
        if case .text(let text) = device.attribute("location") { stated = text }
        return SensorLocation.first(
            property: udev.location(warnings: &warnings), label: device.label, attribute: stated)
    }

    /// Adds a warning about an invalid ORIENTATIOND_BUFFER, which is ignored.
    func checkBufferPolicy(warnings: inout [String]) {
        guard let text = udev.value(of: .buffer), text != "0", text != "1" else { return }
        warnings.append("udev ORIENTATIOND_BUFFER: invalid value '\(text)': must be 0 or 1")
    }
}
