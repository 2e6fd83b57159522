// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@Suite struct DeviceFrameTests {
    private let g = Acceleration.standardGravity

    @Test func `a matrix that negates all axes equals one that negates only x and y`() throws {
        // Both exist for the same chip: only the third row, which is not used, differs.
        for text in ["-1,0,0;0,-1,0;0,0,-1", "-1,0,0;0,-1,0;0,0,1"] {
            let frame = DeviceFrame(matrix: try MountMatrix(parsing: text), sense: .specificForce)
            #expect(frame(Acceleration(x: 0, y: g, z: 0)) == Acceleration(x: 0, y: g, z: 0))
            #expect(frame(Acceleration(x: 0, y: 0, z: g)) == Acceleration(x: 0, y: 0, z: g))
            #expect(frame.faceRule == .crossProduct)
        }
    }

    @Test func `every axis-aligned matrix with orthonormal rows gives a right-handed frame`() throws {
        let axes = [Acceleration(x: 1, y: 0, z: 0), Acceleration(x: 0, y: 1, z: 0), Acceleration(x: 0, y: 0, z: 1)]
        var count = 0
        for first in axes {
            for second in axes where second != first {
                for (firstSign, secondSign) in [(1.0, 1.0), (1, -1), (-1, 1), (-1, -1)] {
                    for third in axes {
                        let matrix = MountMatrix(x: firstSign * first, y: secondSign * second, z: third)
                        let frame = DeviceFrame(matrix: matrix, sense: .specificForce)
                        let (x, y, z) = (frame(axes[0]), frame(axes[1]), frame(axes[2]))
                        // A proper rotation maps a right-handed triple to a right-handed triple.
                        #expect(x.cross(y).dot(z) == 1)
                        count += 1
                    }
                }
            }
        }
        #expect(count == 72)
    }

    @Test func `faceSign overrides the sign of z of the driver's sense`() {
        let up = Acceleration(x: 0, y: 0, z: g)
        #expect(DeviceFrame(matrix: .identity, sense: .specificForce)(up).z == g)
        #expect(DeviceFrame(matrix: .identity, sense: .specificForce, faceSign: -1)(up).z == -g)
        #expect(DeviceFrame(matrix: .identity, sense: .gravity)(up).z == -g)
        #expect(DeviceFrame(matrix: .identity, sense: .gravity, faceSign: 1)(up).z == g)
    }

    @Test(arguments: [
        ("1,0,0;-1,-1,0;0,0,1", "1, 0, 0; 0, -1, 0; 0, 0, 1"), ("0,1,0;1,0,0;1,0,0", nil),
        ("1,1,0;1,-1,1;0,0,1", nil), ("2,0,0;0,1,0;0,0,1", nil), ("1,0,0;0.5,0.9,0;0,0,1", nil),
    ])
    func `rows with a one too many are replaced by the only rows without it`(text: String, used: String?) throws {
        let matrix = try MountMatrix(parsing: text)
        let frame = DeviceFrame(matrix: matrix, sense: .specificForce)
        #expect(frame.replacement?.text == used)
        guard let used else { return }
        let right = DeviceFrame(matrix: try MountMatrix(parsing: used), sense: .specificForce)
        for vector in [Acceleration(x: g, y: 0, z: 0), Acceleration(x: 0, y: g, z: 0), Acceleration(x: 0, y: 0, z: -g)]
        {
            #expect(frame(vector) == right(vector))
        }
    }

    @Test func `without orthonormal rows the third row is used, and faceRule says so`() throws {
        let matrix = try MountMatrix(parsing: "1,0,0;1,1,0;0,0,1")
        let frame = DeviceFrame(matrix: matrix, sense: .specificForce)
        #expect(frame.faceRule == .thirdRow)
        #expect(frame(Acceleration(x: 0, y: 0, z: g)).z == g)
        #expect(
            DeviceFrame(matrix: matrix, sense: .specificForce, faceSign: -1)(Acceleration(x: 0, y: 0, z: g)).z == -g)
        let nearly = try MountMatrix(parsing: "0.98,0.05,0;-0.04,0.99,0;0,0,1")
        #expect(DeviceFrame(matrix: nearly, sense: .specificForce).faceRule == .crossProduct)
    }
}
