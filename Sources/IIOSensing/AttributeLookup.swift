// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Sensing

/// Looks up facts about a sensor that have several possible sources: the first valid value is used. An invalid value is
/// skipped, with a warning that names its source.
struct AttributeLookup {
    let device: IIODevice
    let facts: HardwareFacts

    /// Returns the mount matrix and its source.
    func mountMatrix(warnings: inout [String]) -> (matrix: MountMatrix, source: String) {
        let udev = facts.value(of: .mountMatrix, for: device.id)
        let places: [(source: String, attribute: IIOAttribute)] = [
            ("udev ACCEL_MOUNT_MATRIX", udev.map(IIOAttribute.text) ?? .missing),
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
        return (.identity, "none")
    }

    /// Returns the location of the sensor in the device.
    func location(warnings: inout [String]) -> String {
        if let udev = facts.value(of: .location, for: device.id) {
            if ["display", "lid", "base"].contains(udev) { return udev }
            warnings.append("udev ACCEL_LOCATION: invalid value '\(udev)': must be display, lid or base")
        }
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
        guard let text = facts.value(of: .buffer, for: device.id), text != "0", text != "1" else { return }
        warnings.append("udev ORIENTATIOND_BUFFER: invalid value '\(text)': must be 0 or 1")
    }

    /// Returns the natural orientation that an administrator set for this device, and its source.
    func naturalOrientation(warnings: inout [String]) -> (edge: Edge, source: String)? {
        let property = HardwareFacts.Property.naturalOrientation
        guard let text = facts.value(of: property, for: device.id) else { return nil }
        do throws(NaturalOrientationError) {
            return (try Edge(naturalOrientation: text), "udev \(property.rawValue)")
        } catch {
            warnings.append("udev \(property.rawValue): \(error)")
            return nil
        }
    }

    /// Returns the sign of z that an administrator set for this device.
    func faceSign(warnings: inout [String]) -> Int? {
        guard let text = facts.value(of: .faceSign, for: device.id) else { return nil }
        if let sign = Int(text), sign == 1 || sign == -1 { return sign }
        warnings.append("udev ORIENTATIOND_FACE_SIGN: invalid value '\(text)': must be 1 or -1")
        return nil
    }
}
