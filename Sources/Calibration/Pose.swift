// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// One of the six ways in which a device is held for its calibration, in the order in which they are asked for: each is
/// a quarter turn from the one before, and those that hide the screen come last.
package enum Pose: String, CaseIterable, Sendable {
    case portrait
    case landscapeLeft
    case portraitUpsideDown
    case landscapeRight
    case faceUp
    case faceDown

    /// How many of them a calibration takes.
    package static let counts = 4...6

    /// Where a still device that is held so reads gravity's reaction, in the device frame and of length 1.
    package var direction: Acceleration {
        switch self {
        case .portrait: Acceleration(x: 0, y: 1, z: 0)
        case .landscapeLeft: Acceleration(x: 1, y: 0, z: 0)
        case .portraitUpsideDown: Acceleration(x: 0, y: -1, z: 0)
        case .landscapeRight: Acceleration(x: -1, y: 0, z: 0)
        case .faceUp: Acceleration(x: 0, y: 0, z: 1)
        case .faceDown: Acceleration(x: 0, y: 0, z: -1)
        }
    }

    /// What the daemon calls it.
    package var orientation: DeviceOrientation {
        DeviceOrientation(rawValue) ?? .unknown
    }

    /// By how many degrees a device is turned from one to the other: 0, 90 or 180.
    func angle(to other: Pose) -> Double {
        90 * (1 - direction.dot(other.direction))
    }
}
