// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// The format of recordings.
///
///     # orientationd recording 1
///     # device: kxcjk1013
///     # kernel: 6.1.0-18-amd64
///     # driver: kxcjk1013
///     # scale: 0.009582 0.009582 0.009582
///     # offset: 0.0 0.0 0.0
///     # matrix: -1.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0 1.0
///     # matrix source: ACCEL_MOUNT_MATRIX
///     # sense: specific force
///     # rate: 50.0
///     # natural: landscapeLeft
///     # hwdb match: sensor:modalias:i2c:kxcjk1013:dmi:*:svnMaker:pnTablet:*
///     t,x,y,z,raw_x,raw_y,raw_z
///     0.0,0.038,9.774,0.21,4.0,-1020.0,22.0
///     # samples: 1
///
/// The format is a table, not JSON: the header takes a few lines of code to parse in any language, and every CSV tool
/// reads the table (the header is a comment; the first four columns are the plain CSV that is accepted too). The last
/// line distinguishes a complete recording from a truncated one: a number that is cut in its middle would otherwise be
/// read as another number.
///
/// Compatibility: readers ignore unknown keys; any other change of the format increments the version.
package enum RecordingFormat {
    package static let title = "orientationd recording"
    package static let version = "1"
    package static let plainColumns = "t,x,y,z"
    package static let columns = "t,x,y,z,raw_x,raw_y,raw_z"
    static let countKey = "samples"
}

/// Limits on the memory that a file can make the reader use.
package enum RecordingLimits {
    /// Bytes per line. A phone's log of all sensors has 80 columns with names of 40 bytes. A file of zeros is one line
    /// without an end: it is refused at this limit.
    package static let lineLength = 8_192
    /// Columns of a CSV file that are searched by their names.
    static let columns = 256
    /// Bytes of a row with the names of columns that an error quotes.
    static let quotedLength = 400
    /// Samples of a CSV file that are held until the unit of its times is known: times may repeat.
    static let heldSamples = 64
    /// Bytes per header value: a DMI modalias with all its fields.
    package static let textLength = 960
    /// Lines before the table: 14 are written; the rest is reserved for later versions.
    package static let headerLines = 64
}

/// One row of a recording: the sample in the device frame, and the raw reading where it is known.
package struct RecordedSample: Hashable, Sendable {
    /// The reading of the sensor in its own units, before offset, scale and mount matrix; drivers may deliver fractions.
    package typealias Raw = Acceleration

    /// Time in seconds and acceleration in m/s², in the device frame.
    package var sample: Sample
    package var raw: Raw?

    package init(_ sample: Sample, raw: Raw? = nil) {
        self.sample = sample
        self.raw = raw
    }
}
