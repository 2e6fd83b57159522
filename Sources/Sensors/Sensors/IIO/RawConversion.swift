// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// The conversion from the raw values of the axes to m/s² in the device frame.
struct RawConversion {
    /// Raw units added before scaling.
    private let offset: Acceleration
    /// m/s² per raw unit.
    private let scale: Acceleration
    /// Converts the vector of the axes to the device frame.
    let frame: DeviceFrame

    /// Creates the conversion of the axes x, y and z.
    init(axes: [AccelerometerAxis], frame: DeviceFrame) {
        offset = Acceleration(x: axes[0].offset, y: axes[1].offset, z: axes[2].offset)
        scale = Acceleration(x: axes[0].scale, y: axes[1].scale, z: axes[2].scale)
        self.frame = frame
    }

    /// Converts raw values; nil for three exact zeros, which a hung sensor hub returns with success.
    func callAsFunction(_ x: Double, _ y: Double, _ z: Double) -> Acceleration? {
        if x == 0, y == 0, z == 0 { return nil }
        let components = components(x, y, z)
        return frame(Acceleration(x: components[0], y: components[1], z: components[2]))
    }

    /// Converts raw values to m/s² along the axes of the chip.
    func components(_ x: Double, _ y: Double, _ z: Double) -> [3 of Double] {
        [(x + offset.x) * scale.x, (y + offset.y) * scale.y, (z + offset.z) * scale.z]
    }
}
