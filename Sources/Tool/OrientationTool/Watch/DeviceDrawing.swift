// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel

/// The attitude of the drawing, in degrees: the turn in the plane of the screen, and the tilt.
struct Pose3D: Hashable {
    /// The direction of up on the screen: 0 is its top edge, 90 its right edge.
    var turn: Double
    /// Elevation of the screen's normal above the horizon, −90 to 90.
    var tilt: Double
}

extension Pose3D {
    /// Creates the typical attitude of an orientation. Flat ones keep the turn of the last edge.
    init(_ orientation: DeviceOrientation, lastEdge: Edge?, natural: Edge = .portrait) {
        switch orientation {
        case .faceUp: tilt = 90
        case .faceDown: tilt = -90
        default: tilt = 0
        }
        turn = (Edge(orientation) ?? lastEdge).map { PanelEdge($0, natural: natural).turn } ?? 0
    }
}

/// Draws the device as a slab with a screen of the panel's shape, seen from the front and slightly above.
///
/// Lengths are in the device frame (``Acceleration``), in units of the device's longer side.
struct DeviceDrawing {
    /// The view angle from above for a flat device, in degrees; 0 for an upright one.
    private static let viewAngle = 28.0
    /// The distance of the eye; farther away, a flat device would lose its perspective.
    private static let distance = 4.0
    private static let (halfShort, halfLong, thickness) = (0.36, 0.5, 0.07)
    private static let cornerRadius = 0.1
    /// The largest distance of a point of the drawing from its centre.
    private static let reach = 0.64

    let pose: Pose3D
    var shape = PanelShape.tall
    /// Draws a dashed outline and a question mark.
    var isUnknown = false
    var isStale = false

    private var halfWidth: Double { shape == .tall ? Self.halfShort : Self.halfLong }
    private var halfHeight: Double { shape == .tall ? Self.halfLong : Self.halfShort }

    func draw(on canvas: inout Canvas) {
        let (front, back) = (rim(atDepth: Self.thickness / 2), rim(atDepth: -Self.thickness / 2))
        let frontIsNear = isScreenInView
        let (near, far) = frontIsNear ? (front, back) : (back, front)
        let nearPoints = near.map { project($0, canvas) }
        let style = isUnknown || isStale ? Style.dim : .accent
        if !isUnknown {
            canvas.outline(far.map { project($0, canvas) }, .dim)
            canvas.clear(inside: nearPoints)
        }
        canvas.outline(nearPoints, style, isDashed: isUnknown)
        if isUnknown { return questionMark(on: &canvas) }
        frontIsNear ? screen(on: &canvas) : rear(on: &canvas)
    }

    /// Draws the edge of the screen, and a mark that points to its top.
    private func screen(on canvas: inout Canvas) {
        let depth = Self.thickness / 2
        // The frame is wider at the short sides.
        let (x, y) = (halfWidth - (shape == .tall ? 0.07 : 0.1), halfHeight - (shape == .tall ? 0.1 : 0.07))
        let corners = [(-x, -y), (x, -y), (x, y), (-x, y)].map { Acceleration(x: $0.0, y: $0.1, z: depth) }
        canvas.outline(corners.map { project($0, canvas) }, .dim)
        stroke([(0, -0.2), (0, 0.22)], depth, .bold, &canvas)
        stroke([(-0.12, 0.1), (0, 0.22), (0.12, 0.1)], depth, .bold, &canvas)
    }

    /// Draws the back, with a camera near the top.
    private func rear(on canvas: inout Canvas) {
        let depth = -Self.thickness / 2
        let ring = (0..<12).map { step in
            let angle = Double(step) * .pi / 6
            return Acceleration(
                x: halfWidth - 0.16 + 0.07 * cos(angle), y: halfHeight - 0.16 + 0.07 * sin(angle), z: depth)
        }
        canvas.outline(ring.map { project($0, canvas) }, .bold)
    }

    private func questionMark(on canvas: inout Canvas) {
        let flat = DeviceDrawing(pose: Pose3D(turn: 0, tilt: 0))
        let hook = (0...8).map { step -> (Double, Double) in
            let angle = Double.pi * (1 - Double(step) * 0.17)
            return (0.11 * cos(angle), 0.1 + 0.11 * sin(angle))
        }
        flat.stroke(hook + [(0, -0.04), (0, -0.1)], 0, .bold, &canvas)
        flat.stroke([(0, -0.18), (0, -0.2)], 0, .bold, &canvas)
    }

    private func stroke(_ path: [(Double, Double)], _ depth: Double, _ style: Style, _ canvas: inout Canvas) {
        let points = path.map { project(Acceleration(x: $0.0, y: $0.1, z: depth), canvas) }
        for (start, end) in zip(points, points.dropFirst()) { canvas.line(start, end, style) }
    }

    /// The outline of a face with round corners, counterclockwise from the right.
    private func rim(atDepth depth: Double) -> [Acceleration] {
        (0..<4).flatMap { corner in
            let (right, up) = (corner == 0 || corner == 3 ? 1.0 : -1.0, corner < 2 ? 1.0 : -1.0)
            return (0...4).map { step in
                let angle = (Double(corner) + Double(step) / 4) * .pi / 2
                return Acceleration(
                    x: right * (halfWidth - Self.cornerRadius) + Self.cornerRadius * cos(angle),
                    y: up * (halfHeight - Self.cornerRadius) + Self.cornerRadius * sin(angle), z: depth)
            }
        }
    }

    /// The visible tilt in radians: the tilt, less the view angle.
    private var lean: Double { (pose.tilt - Self.viewAngle * abs(pose.tilt) / 90) * .pi / 180 }

    private var isScreenInView: Bool {
        // The dot product of the screen's normal and the direction from its centre to the eye.
        let centre = turned(Acceleration(x: 0, y: 0, z: Self.thickness / 2))
        let normal = turned(Acceleration(x: 0, y: 0, z: 1))
        return normal.z * (Self.distance - centre.z) - normal.y * centre.y > 0
    }

    /// Converts from the device frame to the viewer's: x to the right, y up, z towards the eye.
    private func turned(_ point: Acceleration) -> Acceleration {
        let turn = pose.turn * .pi / 180
        let x = point.x * cos(turn) - point.y * sin(turn)
        let y = point.x * sin(turn) + point.y * cos(turn)
        return Acceleration(x: x, y: y * cos(lean) + point.z * sin(lean), z: -y * sin(lean) + point.z * cos(lean))
    }

    private func project(_ point: Acceleration, _ canvas: Canvas) -> Point {
        let seen = turned(point)
        let nearer = Self.distance / (Self.distance - seen.z)
        let scale = min(canvas.width, canvas.height) / 2 / Self.reach * nearer
        return Point(x: canvas.width / 2 + seen.x * scale, y: canvas.height / 2 - seen.y * scale)
    }
}
