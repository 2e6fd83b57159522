// SPDX-License-Identifier: Apache-2.0

/// What a file can make the reader hold.
package enum RecordingLimits {
    /// Bytes in a line. Seven numbers take 180 at most; a matrix with its source some 300. A file of zeros has one line
    /// without an end, and is refused here.
    package static let lineLength = 1024
    /// Characters in a text of the header: a DMI modalias with all its fields; four bytes each still fit into a line.
    package static let textLength = 240
    /// Lines before the table. Thirteen are written; the rest is room for what later versions add.
    package static let headerLines = 64
}
