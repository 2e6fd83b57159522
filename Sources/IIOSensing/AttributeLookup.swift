// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import OrientationModel
internal import Sensing

/// Where each fact about a sensor comes from: several places are asked in order, and the first that has it wins. A
/// place that holds nonsense is named in a warning, and the next one is asked.
struct AttributeLookup {
    let device: IIODevice
    let facts: HardwareFacts

    /// The mount matrix, and the place where it was found.
    func mountMatrix(warnings: inout [String]) -> (matrix: MountMatrix, source: String) {
        let udev = facts.value(of: .mountMatrix, for: device.id)
        let places: [(source: String, attribute: IIOAttribute)] = [
            ("udev ACCEL_MOUNT_MATRIX", udev.map(IIOAttribute.text) ?? .missing),
            ("mount_matrix", device.attribute("mount_matrix")),
            ("in_accel_mount_matrix", device.channel("accel_x")?.attribute("mount_matrix") ?? .missing),
            // libiio takes this file for a channel of its own.
            ("in_mount_matrix", device.channel("mount")?.attribute("matrix") ?? .missing),
        ]
        for (source, attribute) in places {
            switch attribute {
            case .missing: continue
            case .unreadable(let code):
                warnings.append("\(source) cannot be read: \(String(cString: strerror(code)))")
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

    /// Where in the device the sensor sits.
    func location(warnings: inout [String]) -> String {
        if let udev = facts.value(of: .location, for: device.id) {
            if ["display", "lid", "base"].contains(udev) { return udev }
            warnings.append("udev ACCEL_LOCATION is '\(udev)'; display, lid or base is expected")
        }
        if let label = device.label, let location = Self.location(named: label) { return location }
        if case .text(let text) = device.attribute("location"), let location = Self.location(named: text) {
            return location
        }
        return "display"
    }

    /// Where a sensor sits that firmware or a driver calls so: `accel-display`, `accel-base`, `lid`; nil for a name that
    /// says nothing of it.
    ///
    /// What sits under the keys is the base by another name. A camera may be turned against the display.
    static func location(named name: String) -> String? {
        let words = name.lowercased().split { !$0.isLetter }
        let places = [
            "display": "display", "lid": "lid", "base": "base", "keyboard": "base", "palmrest": "base",
            "camera": "camera",
        ]
        return words.lazy.compactMap { places[String($0)] }.first
    }

    /// A person's word on the use of the buffer: what is neither yes nor no counts for nothing, which is to be said.
    func checkBufferPolicy(warnings: inout [String]) {
        guard let text = facts.value(of: .buffer, for: device.id), text != "0", text != "1" else { return }
        warnings.append("udev ORIENTATIOND_BUFFER is '\(text)'; 1 or 0 is expected")
    }

    /// A person's word on the sign of z, for this one device.
    func faceSign(warnings: inout [String]) -> Int? {
        guard let text = facts.value(of: .faceSign, for: device.id) else { return nil }
        if let sign = Int(text), sign == 1 || sign == -1 { return sign }
        warnings.append("udev ORIENTATIOND_FACE_SIGN is '\(text)'; 1 or -1 is expected")
        return nil
    }
}
