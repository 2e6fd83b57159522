// SPDX-License-Identifier: Apache-2.0

/// How the project writes recordings.
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
///     # hwdb match: sensor:modalias:i2c:kxcjk1013:dmi:*:svnMaker:pnTablet:*
///     t,x,y,z,raw_x,raw_y,raw_z
///     0.0,0.038,9.774,0.21,4.0,-1020.0,22.0
///     # samples: 1
///
/// A table rather than JSON: its header is read strictly with a few lines of code in any language, every tool for
/// tables reads the rest (the header is a comment to them, the first four columns are the plain CSV that is accepted
/// too), and a person sees at once where it is damaged. The last line tells a recording that ended from one that was
/// cut off; a number cut off in its middle would otherwise pass for a shorter one.
///
/// Growth: a key that a reader does not know is passed over; anything else that changes raises the version.
package enum RecordingFormat {
    package static let title = "orientationd recording"
    package static let version = "1"
    package static let plainColumns = "t,x,y,z"
    package static let columns = "t,x,y,z,raw_x,raw_y,raw_z"
    static let countKey = "samples"
}
