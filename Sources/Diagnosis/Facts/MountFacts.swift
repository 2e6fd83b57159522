// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// Where a device's mount matrix comes from: the first place with a matrix wins, as it does for the daemon.
package struct MountFacts: Hashable, Sendable {
    /// Nil where no place has one.
    package var matrix: MountMatrix?
    /// The place that won; nil where none did.
    package var source: String?
    /// Places that hold nonsense, with what is wrong there.
    package var nonsense: [Nonsense] = []

    package struct Nonsense: Hashable, Sendable {
        package var source: String
        package var reason: String
    }

    /// The place in udev's database.
    static let property = "udev ACCEL_MOUNT_MATRIX"
}

extension DeviceFacts {
    /// The mount matrix, and the places that failed to have it.
    package var mount: MountFacts {
        let places: [(source: String, text: String?)] = [
            (MountFacts.property, udev.properties["ACCEL_MOUNT_MATRIX"]),
            ("mount_matrix", text("mount_matrix")),
            ("in_accel_mount_matrix", text("in_accel_mount_matrix") ?? text("in_accel_x_mount_matrix")),
            ("in_mount_matrix", text("in_mount_matrix")),
        ]
        var facts = MountFacts()
        for (source, text) in places {
            guard let text else { continue }
            do throws(MountMatrixError) {
                facts.matrix = try MountMatrix(parsing: text)
                facts.source = source
                return facts
            } catch {
                facts.nonsense.append(.init(source: source, reason: error.description))
            }
        }
        return facts
    }
}
