// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Recordings

/// The result of reading a text that arrives in chunks of a fixed size.
struct Reading {
    var samples: [RecordedSample] = []
    var header = RecordingHeader()
    var error: RecordingError?
    /// The messages about the columns and the unit of time.
    var notes: [String] = []

    init(_ text: String, chunk: Int = 7, timeUnit: TimeUnit? = nil) {
        self.init(bytes: Array(text.utf8), chunk: chunk, timeUnit: timeUnit)
    }

    init(bytes: [UInt8], chunk: Int, timeUnit: TimeUnit? = nil) {
        var reader = RecordingReader(timeUnit: timeUnit)
        do throws(RecordingError) {
            for start in stride(from: 0, to: bytes.count, by: chunk) {
                reader.append(bytes[start..<min(start + chunk, bytes.count)])
                while let sample = try reader.next() { samples.append(sample) }
            }
            reader.end()
            while let sample = try reader.next() { samples.append(sample) }
        } catch {
            self.error = error
        }
        header = reader.header
        notes = [reader.columnNote, reader.timeNote].compactMap(\.self)
    }

    var times: [Double] { samples.map(\.sample.time) }
}

func recorded(_ time: Double, _ x: Double, _ y: Double, _ z: Double) -> RecordedSample {
    RecordedSample(Sample(time: time, acceleration: Acceleration(x: x, y: y, z: z)))
}
