// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where a vector points, in degrees.
struct Attitude: Sendable {
    /// Of the screen's normal above the horizon, −90 to 90.
    var tilt: Double
    /// Of the vector in the screen's plane, −180 to 180: 0 towards the top edge, 90 towards the right one.
    var turn: Double

    init(of vector: Acceleration) {
        let inPlane = (vector.x * vector.x + vector.y * vector.y).squareRoot()
        tilt = atan2(vector.z, inPlane) * (180 / .pi)
        turn = atan2(vector.x, vector.y) * (180 / .pi)
    }

    /// The face that looks up.
    var face: DeviceOrientation { tilt > 0 ? .faceUp : .faceDown }

    /// The edge that is nearest to being up.
    var edge: DeviceOrientation {
        switch turn {
        case -45...45: .portrait
        case 45..<135: .landscapeLeft
        case -135 ..< -45: .landscapeRight
        default: .portraitUpsideDown
        }
    }

    /// How far the turn is from an edge's, in degrees, 0 to 180.
    func distance(from edge: Edge) -> Double {
        switch edge {
        case .portrait: abs(turn)
        case .portraitUpsideDown: 180 - abs(turn)
        case .landscapeLeft: turn < -90 ? turn + 270 : abs(turn - 90)
        case .landscapeRight: turn > 90 ? 270 - turn : abs(turn + 90)
        }
    }
}

extension Acceleration {
    /// How much the vector speaks for this pose: its part along what a still device reads there; 0 for unknown.
    func support(_ pose: DeviceOrientation) -> Double {
        switch pose {
        case .unknown: 0
        case .portrait: y
        case .portraitUpsideDown: -y
        case .landscapeLeft: x
        case .landscapeRight: -x
        case .faceUp: z
        case .faceDown: -z
        }
    }

    /// The length of the part in the screen's plane.
    var inPlane: Double { (x * x + y * y).squareRoot() }
}
