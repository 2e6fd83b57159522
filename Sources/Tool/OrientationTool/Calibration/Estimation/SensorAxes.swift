// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Recordings

/// Converts recorded samples back to readings along the sensor's own axes, by the facts in the header.
struct SensorAxes {
    /// The sign of the driver's vectors.
    let sense: DeviceFrame.SensorSense
    private let scale: [Double]?
    private let offset: [Double]
    private let frame: DeviceFrame?

    /// Creates a converter; nil if the samples do not come from a chip, as in plain CSV: they are in the device frame.
    init?(_ header: RecordingHeader) {
        guard let text = header.sense else { return nil }
        sense = DeviceFrame.SensorSense(name: text)
        scale = header.scale
        offset = header.offset ?? [0, 0, 0]
        frame = header.matrix.flatMap(MountMatrix.init(elements:)).map { [sense] in
            DeviceFrame(matrix: $0, sense: sense)
        }
    }

    /// Returns the reading of the sensor in m/s²: from the raw values, else by the inverse mount matrix; nil if both
    /// are missing.
    func vector(_ recorded: RecordedSample) -> Acceleration? {
        if let raw = recorded.raw, let scale {
            return Acceleration(
                x: (raw.x + offset[0]) * scale[0], y: (raw.y + offset[1]) * scale[1], z: (raw.z + offset[2]) * scale[2])
        }
        return frame?.inverse(recorded.sample.acceleration)
    }
}
