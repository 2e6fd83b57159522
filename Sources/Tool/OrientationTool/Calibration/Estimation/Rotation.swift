// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// A proper rotation (determinant 1) from a sensor's axes (specific force) to the device's.
struct Rotation: Hashable {
    /// The device's x, y and z axes in the sensor's coordinates, of length 1.
    let x: Acceleration
    let y: Acceleration
    let z: Acceleration

    /// Creates a right-handed frame from two orthogonal unit vectors.
    init(x: Acceleration, y: Acceleration) {
        self.x = x
        self.y = y
        z = x.cross(y)
    }

    /// Converts a vector from the sensor's axes to the device's.
    func callAsFunction(_ vector: Acceleration) -> Acceleration {
        Acceleration(x: x.dot(vector), y: y.dot(vector), z: z.dot(vector))
    }

    /// The sensor's own x, y and z axes, in the device frame.
    var sensorAxes: [Acceleration] {
        [
            Acceleration(x: x.x, y: y.x, z: z.x), Acceleration(x: x.y, y: y.y, z: z.y),
            Acceleration(x: x.z, y: y.z, z: z.z),
        ]
    }

    /// The 24 rotations for which every axis of the sensor is parallel to one of the device's.
    static let axisAligned: [Rotation] = {
        let axes = Pose.allCases.map(\.direction)
        return axes.flatMap { x in axes.filter { x.dot($0) == 0 }.map { Rotation(x: x, y: $0) } }
    }()

    /// The 8 rotations of a chip that lies in the plane of the screen, with its axes at 45° to the edges.
    static let diagonal: [Rotation] = axisAligned.filter { $0.z.z != 0 }.map { aligned in
        Rotation(x: (aligned.x + aligned.y).normalized, y: (aligned.y - aligned.x).normalized)
    }
}
