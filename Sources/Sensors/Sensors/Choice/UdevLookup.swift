// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// The facts about one sensor that udev states. An invalid value is skipped, with a warning that names the
/// property.
package struct UdevLookup {
    private let device: String
    private let facts: HardwareFacts

    /// Looks up facts about a device by its kernel name.
    package init(device: String, facts: HardwareFacts) {
        self.device = device
        self.facts = facts
    }

    /// Returns a property; nil if it is not set.
    package func value(of property: HardwareFacts.Property) -> String? {
        facts.value(of: property, for: device)
    }

    /// Returns the mount matrix and its source; the identity without one.
    func mountMatrix(warnings: inout [String]) -> (matrix: MountMatrix, source: String) {
        guard let text = value(of: .mountMatrix) else { return (.identity, "default") }
        let source = "udev \(HardwareFacts.Property.mountMatrix.rawValue)"
        do throws(MountMatrixError) {
            return (try MountMatrix(parsing: text), source)
        } catch {
            warnings.append("\(source): \(error)")
            return (.identity, "default")
        }
    }

    /// Returns the location of the sensor in the device; nil if udev states none.
    package func location(warnings: inout [String]) -> String? {
        guard let text = value(of: .location) else { return nil }
        if SensorLocation.properties.contains(text) { return text }
        warnings.append("udev ACCEL_LOCATION: invalid value '\(text)': must be display, lid or base")
        return nil
    }

    /// Returns the natural orientation that an administrator set for this device, and its source.
    package func naturalOrientation(warnings: inout [String]) -> (edge: Edge, source: String)? {
        let property = HardwareFacts.Property.naturalOrientation
        guard let text = value(of: property) else { return nil }
        do throws(NaturalOrientationError) {
            return (try Edge(naturalOrientation: text), "udev \(property.rawValue)")
        } catch {
            warnings.append("udev \(property.rawValue): \(error)")
            return nil
        }
    }

    /// Returns the sign of z that an administrator set for this device.
    package func faceSign(warnings: inout [String]) -> Int? {
        guard let text = value(of: .faceSign) else { return nil }
        if let sign = Int(text), sign == 1 || sign == -1 { return sign }
        warnings.append("udev ORIENTATIOND_FACE_SIGN: invalid value '\(text)': must be 1 or -1")
        return nil
    }
}
