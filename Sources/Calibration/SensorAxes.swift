// SPDX-License-Identifier: Apache-2.0

package import OrientationModel
package import Recordings

/// The way back from a recorded sample to what the sensor read along its own axes, by what the header tells of it.
package struct SensorAxes: Sendable {
    /// Which way the driver counts.
    package let sense: DeviceFrame.SensorSense
    private let scale: [Double]?
    private let offset: [Double]
    private let frame: DeviceFrame?

    /// Nil where there is no chip behind the samples, as in plain CSV: they are in the device frame, and say nothing of
    /// a sensor.
    package init?(_ header: RecordingHeader) {
        guard let text = header.sense else { return nil }
        sense = text == "HID" ? .gravity : .specificForce
        scale = header.scale
        offset = header.offset ?? [0, 0, 0]
        frame = header.matrix.flatMap(MountMatrix.init(elements:)).map { [sense] in
            DeviceFrame(matrix: $0, sense: sense)
        }
    }

    /// What the sensor read, in m/s²: from the raw values, else back through the mount matrix; nil where neither is known.
    package func vector(_ recorded: RecordedSample) -> Acceleration? {
        if let raw = recorded.raw, let scale {
            return Acceleration(
                x: (raw.x + offset[0]) * scale[0], y: (raw.y + offset[1]) * scale[1], z: (raw.z + offset[2]) * scale[2])
        }
        return frame?.inverse(recorded.sample.acceleration)
    }
}

extension MountMatrix {
    /// Nine elements, row by row; nil where there are not nine.
    package init?(elements: [Double]) {
        guard elements.count == 9 else { return nil }
        let rows = stride(from: 0, to: 9, by: 3).map {
            Acceleration(x: elements[$0], y: elements[$0 + 1], z: elements[$0 + 2])
        }
        self.init(x: rows[0], y: rows[1], z: rows[2])
    }
}
