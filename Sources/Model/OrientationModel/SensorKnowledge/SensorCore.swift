// SPDX-License-Identifier: Apache-2.0

/// The names of the Snapdragon sensor core.
package enum SensorCore {
    /// The scheme of its accelerometers, and their driver.
    package static let scheme = "ssc"
    /// The devices of the DSPs with sensors, the best first, and their subsystem.
    package static let devices = ["fastrpc-sdsp", "fastrpc-sdsp-secure", "fastrpc-adsp", "fastrpc-adsp-secure"]
    package static let subsystem = "misc"
    /// The match of these devices in a rule of udev.
    package static let rulePattern = #"SUBSYSTEM=="misc", KERNEL=="fastrpc-[as]dsp*""#
}
