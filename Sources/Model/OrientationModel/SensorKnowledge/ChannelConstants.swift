// SPDX-License-Identifier: Apache-2.0

/// The sysfs attributes with the constants of an accelerometer's channel, such as `accel_x`. The first one that exists
/// counts, also if its value is invalid.
package enum ChannelConstants {
    /// The attributes with the offset in raw units, which is added before scaling.
    package static func offset(of channel: String) -> [String] { ["in_\(channel)_offset", "in_accel_offset"] }

    /// The attributes with the scale in m/s² per raw unit; 0 and less are invalid.
    package static func scale(of channel: String) -> [String] { ["in_\(channel)_scale", "in_accel_scale", "scale"] }
}
