// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// Formats a recording piece by piece; the caller does the I/O.
///
/// Parsing a written number gives the same bits.
package struct RecordingWriter: Sendable {
    package enum Format: Sendable {
        /// A recording with header and raw values.
        case recording(RecordingHeader)
        /// The columns `t,x,y,z` only, which every CSV tool reads.
        case plainCSV
    }

    private let format: Format
    private var count = 0

    package init(_ format: Format) {
        self.format = format
    }

    /// Returns the text before the first sample.
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

    /// Returns the row of one sample; the raw columns are empty without raw values.
    package mutating func line(_ recorded: RecordedSample) -> String {
        count += 1
        let acceleration = recorded.sample.acceleration
        let plain = "\(recorded.sample.time),\(acceleration.x),\(acceleration.y),\(acceleration.z)"
        guard case .recording = format else { return plain + "\n" }
        guard let raw = recorded.raw else { return plain + ",,,\n" }
        return "\(plain),\(raw.x),\(raw.y),\(raw.z)\n"
    }

    /// Returns the text after the last sample.
    package func ending() -> String {
        guard case .recording = format else { return "" }
        return "# \(RecordingFormat.countKey): \(count)\n"
    }
}
