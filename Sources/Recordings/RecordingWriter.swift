// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// Makes the text of a recording, piece by piece; writing it somewhere is the caller's.
///
/// Numbers are written so that reading them gives the same bits.
package struct RecordingWriter: Sendable {
    package enum Format: Sendable {
        /// The project's own, with a header and the raw values.
        case recording(RecordingHeader)
        /// `t,x,y,z`, what every other program takes.
        case plainCSV
    }

    private let format: Format
    private var count = 0

    package init(_ format: Format) {
        self.format = format
    }

    /// What comes before the first sample.
    package func beginning() -> String {
        switch format {
        case .plainCSV:
            return RecordingFormat.plainColumns + "\n"
        case .recording(let header):
            let title = "\(RecordingFormat.title) \(RecordingFormat.version)"
            let comments = ([title] + header.lines).map { "# \($0)\n" }
            return comments.joined() + RecordingFormat.columns + "\n"
        }
    }

    /// One sample. Where the raw values are not known their columns are empty.
    package mutating func line(_ recorded: RecordedSample) -> String {
        count += 1
        let acceleration = recorded.sample.acceleration
        let plain = "\(recorded.sample.time),\(acceleration.x),\(acceleration.y),\(acceleration.z)"
        guard case .recording = format else { return plain + "\n" }
        guard let raw = recorded.raw else { return plain + ",,,\n" }
        return "\(plain),\(raw.x),\(raw.y),\(raw.z)\n"
    }

    /// What comes after the last sample.
    package func ending() -> String {
        guard case .recording = format else { return "" }
        return "# \(RecordingFormat.countKey): \(count)\n"
    }
}
