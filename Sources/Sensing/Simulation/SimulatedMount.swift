// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// A simulated chip that sits in the device somehow, and of which nobody has told the daemon: its samples are wrong as
/// those of a real one without a mount matrix are.
package struct SimulatedMount: Hashable, Sendable {
    /// Which way the chip counts.
    package let sense: DeviceFrame.SensorSense
    private let truth: DeviceFrame
    private let assumed: DeviceFrame

    /// A chip for which `matrix` would be the right mount matrix; nil where that is no rotation.
    package init?(_ matrix: MountMatrix, sense: DeviceFrame.SensorSense) {
        self.sense = sense
        truth = DeviceFrame(matrix: matrix, sense: sense)
        assumed = DeviceFrame(matrix: .identity, sense: sense)
        guard truth.faceRule == .crossProduct else { return nil }
    }

    /// Reads the options `mount` and `sense` of a source; nil where there is no mount.
    init?(_ address: SourceAddress) throws(SensorFailure) {
        let sense: DeviceFrame.SensorSense =
            switch address["sense"] {
            case nil, "chip": .specificForce
            case "hid": .gravity
            case let text?: throw .unusable("sense=\(text) means nothing; chip or hid is expected")
            }
        guard let text = address["mount"] else {
            guard address["sense"] == nil else { throw .unusable("sense=… says something only together with mount=…") }
            return nil
        }
        let matrix: MountMatrix
        do throws(MountMatrixError) {
            matrix = try MountMatrix(parsing: text)
        } catch {
            throw .unusable("mount=…: \(error)")
        }
        guard let mount = Self(matrix, sense: sense) else {
            throw .unusable("mount=\(text) is no rotation: its first two rows are not orthogonal unit vectors")
        }
        self = mount
    }

    /// What the chip reads where the device feels this, in m/s² along its own axes.
    package func chipReads(_ acceleration: Acceleration) -> Acceleration {
        truth.inverse(acceleration) ?? acceleration
    }

    /// What the daemon makes of what the chip reads.
    func sample(_ reading: Acceleration) -> Acceleration {
        assumed(reading)
    }
}
