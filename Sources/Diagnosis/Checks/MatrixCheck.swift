// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

extension Check {
    /// Whether each mount matrix can be what it says: the largest class of upside-down screens.
    static let matrix = Check("matrix") { facts in
        facts.usable.flatMap { device in
            let mount = device.mount
            return mount.nonsense.map { nonsense($0, mount, device) } + [verdict(mount, device)]
        }
    }

    private static func nonsense(
        _ place: MountFacts.Nonsense, _ mount: MountFacts, _ device: DeviceFacts
    ) -> Finding {
        .problem(
            "\(place.source) of \(device.title) is no mount matrix: \(place.reason)",
            mount.source.map { "It is passed over; \($0) is used" } ?? "The chip's axes are taken for the device's",
            mend: place.source == MountFacts.property ? Mend.findProperty("ACCEL_MOUNT_MATRIX") : Mend.calibrate)
    }

    private static func verdict(_ mount: MountFacts, _ device: DeviceFacts) -> Finding {
        guard let matrix = mount.matrix, let source = mount.source else {
            return .note(
                "\(device.title) has no mount matrix",
                "The chip's axes are taken for the device's. If the screen turns the wrong way, this is why",
                mend: Mend.calibrate)
        }
        let seen = "the mount matrix of \(device.title) from \(source), \(matrix.text),"
        // Only its first two rows count; see DeviceFrame.
        guard DeviceFrame(matrix: matrix, sense: .specificForce).faceRule == .crossProduct else {
            let kind = abs(matrix.determinant) < DeviceFrame.tolerance ? "is singular" : "is no rotation"
            return .problem(
                "\(seen) \(kind): its first two rows are not perpendicular and of length 1",
                "The orientation is wrong in some positions, or in all", mend: Mend.calibrate)
        }
        return .ok("\(seen) \(remark(on: matrix))")
    }

    private static func remark(on matrix: MountMatrix) -> String {
        let determinant = matrix.determinant
        if abs(determinant) < DeviceFrame.tolerance {
            return "is singular, but only in its third row, in whose place the product of the others is used"
        }
        return determinant < 0
            ? "has determinant -1, as most of the field's have; z is computed from the other rows" : "is a rotation"
    }
}

extension MountMatrix {
    /// As the kernel writes it, without needless digits.
    var text: String {
        rows.map { row in [row.x, row.y, row.z].map(\.brief).joined(separator: ",") }.joined(separator: ";")
    }
}

extension Double {
    /// Without the fraction where there is none, else with two places.
    var brief: String {
        guard isFinite, magnitude < 1e9 else { return "\(self)" }
        let rounded = (self * 100).rounded() / 100
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
