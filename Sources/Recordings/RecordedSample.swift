// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// One line of a recording: what the daemon made of a reading, and the reading itself where it is known.
package struct RecordedSample: Hashable, Sendable {
    /// What the sensor delivered, before offset, scale and mount matrix; a driver may deliver fractions.
    package struct Raw: Hashable, Sendable {
        package var x: Double
        package var y: Double
        package var z: Double

        package init(x: Double, y: Double, z: Double) {
            self.x = x
            self.y = y
            self.z = z
        }
    }

    /// Seconds and m/s², in the device frame.
    package var sample: Sample
    package var raw: Raw?

    package init(_ sample: Sample, raw: Raw? = nil) {
        self.sample = sample
        self.raw = raw
    }
}
