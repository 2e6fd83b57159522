// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Recordings
import Testing

@testable import OrientationTool

/// Conversion of recorded samples to the sensor's own axes.
@Suite struct SensorAxesTests {
    private let sample = Sample(time: 0, acceleration: Acceleration(x: 1, y: -9, z: 2))

    private func header(sense: String?, matrix: String?) throws -> RecordingHeader {
        var header = RecordingHeader()
        header.sense = sense
        header.matrix = try matrix.map { try MountMatrix(parsing: $0).elements }
        return header
    }

    @Test func `raw values are converted to m/s² with offset and scale`() throws {
        var header = try header(sense: "specific force", matrix: "1,0,0;0,1,0;0,0,1")
        header.scale = [0.5, 0.5, 2]
        header.offset = [2, 0, -1]
        let recorded = RecordedSample(sample, raw: .init(x: 8, y: 4, z: 3))
        #expect(SensorAxes(header)?.vector(recorded) == Acceleration(x: 5, y: 2, z: 4))
    }

    @Test(
        arguments: ["specific force", "HID"],
        ["1,0,0;0,1,0;0,0,1", "0.6,0.8,0;-0.8,0.6,0;0,0,1", "1,0,0;0.5,0.5,0;0,0,2"])
    func `samples without raw values are converted by the inverse mount matrix`(sense: String, matrix: String) throws {
        let axes = try #require(SensorAxes(try header(sense: sense, matrix: matrix)))
        let vector = try #require(axes.vector(RecordedSample(sample)))
        let frame = DeviceFrame(matrix: try MountMatrix(parsing: matrix), sense: axes.sense)
        #expect((frame(vector) - sample.acceleration).magnitude < 1e-9)
    }

    @Test func `a header without a sensor or with a singular matrix gives no reading`() throws {
        #expect(SensorAxes(RecordingHeader()) == nil)
        let bare = try #require(SensorAxes(try header(sense: "HID", matrix: nil)))
        #expect(bare.vector(RecordedSample(sample)) == nil)
        let singular = try #require(SensorAxes(try header(sense: "HID", matrix: "1,0,0;0,2,0;0,0,0")))
        #expect(singular.vector(RecordedSample(sample)) == nil)
    }
}
