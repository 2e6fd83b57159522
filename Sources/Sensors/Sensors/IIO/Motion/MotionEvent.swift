// SPDX-License-Identifier: Apache-2.0

/// The motion event of a chip, with the values of its attributes: the chip reports by interrupt that it was moved.
///
/// The attributes are those in the folder `events` of the device. docs/motion-events.md has the same table, with the
/// datasheets' units.
struct MotionEvent: Hashable {
    /// The attributes that enable the event, with the value 1.
    let enable: [String]
    /// The threshold attributes and their values.
    let thresholds: [SavedSettings.Setting]
    /// Whether the driver sets its own thresholds when the event is enabled: they are written afterwards.
    let enablesFirst: Bool

    /// The attributes in the order in which they are written.
    var settings: [SavedSettings.Setting] {
        let switches = enable.map { SavedSettings.Setting(name: $0, value: "1") }
        return enablesFirst ? switches + thresholds : thresholds + switches
    }

    /// The name of the event, for a message: the first attribute's, without its suffix.
    var name: String { enable.first.map { String($0.dropLast("_en".count)) } ?? "" }

    /// A row of the table: the drivers of a family, and how their event is used.
    struct Family: Sendable {
        /// The names of the kernel drivers.
        let drivers: Set<String>
        let enable: [String]
        let thresholds: [(name: String, threshold: Threshold)]
        var enablesFirst = false
        /// An attribute without which the chip has an event of another kind.
        var requirement: String?
    }

    /// The value of a threshold attribute.
    enum Threshold: Sendable {
        case text(String)
        /// This acceleration in m/s², in units of so many raw units.
        case raw(Double, unit: Double)
    }

    /// The table; kernel 6.12. An attribute that a kernel lacks makes the event unavailable. With the largest range of a chip
    /// its event still reports a turn by 15°: a change of 2.54 m/s².
    static let families: [Family] = [
        // Difference of successive samples; unit 3.9 mg at ±2 g, 31 mg at ±16 g.
        Family(
            drivers: ["bmc150_accel_i2c", "bmc150_accel_spi"], enable: ["in_accel_x_roc_either_en"],
            thresholds: [("in_accel_x_roc_either_value", .text("4"))]),
        // Difference of successive samples; unit 1/16 g.
        Family(
            drivers: ["kxcjk1013"], enable: ["in_accel_x_thresh_either_en"],
            thresholds: [("in_accel_x_thresh_either_value", .text("1"))]),
        // High-pass filter; unit 1/16 g. Chips without the filter compare with 0, which gravity always exceeds.
        Family(
            drivers: ["mma8452"],
            enable: ["in_accel_x_mag_rising_en", "in_accel_y_mag_rising_en", "in_accel_z_mag_rising_en"],
            thresholds: [("in_accel_mag_rising_value", .text("2"))],
            requirement: "in_accel_mag_rising_high_pass_filter_3db"),
        // Difference of successive samples; unit 8 mg. Enabling sets 10 units for 15 samples.
        Family(
            drivers: ["bma400"], enable: ["in_accel_mag_rising_en"],
            thresholds: [("in_accel_mag_rising_value", .text("4")), ("in_accel_mag_rising_period", .text("1"))],
            enablesFirst: true),
        // Difference from the vector at the time of enabling; raw units.
        Family(
            drivers: ["adxl367_i2c", "adxl367_spi"], enable: ["in_accel_mag_referenced_rising_en"],
            thresholds: [("in_accel_mag_referenced_rising_value", .raw(1, unit: 1))]),
        // Difference of successive samples, per direction; raw units.
        Family(
            drivers: ["fxls8962af_i2c", "fxls8962af_spi"],
            enable: ["in_accel_x_thresh_either_en", "in_accel_y_thresh_either_en", "in_accel_z_thresh_either_en"],
            thresholds: ["x", "y", "z"].flatMap { axis in
                [
                    ("in_accel_\(axis)_thresh_rising_value", .raw(0.6, unit: 1)),
                    ("in_accel_\(axis)_thresh_falling_value", .raw(-0.6, unit: 1)),
                ]
            }),
        // Slope filter; unit 1/64 of the range, of 32768 raw units.
        Family(
            drivers: ["st_lsm6dsx_i2c", "st_lsm6dsx_spi", "st_lsm6dsx_i3c"],
            enable: ["in_accel_x_thresh_either_en", "in_accel_y_thresh_either_en", "in_accel_z_thresh_either_en"],
            thresholds: [("in_accel_x_thresh_either_value", .raw(0.6, unit: 512))]),
        // Difference from the vector at the last event; in g. Enabling sets 1 g.
        Family(
            drivers: ["bmi323"], enable: ["in_accel_mag_rising_en"],
            thresholds: [("in_accel_mag_rising_value", .text("0.1"))], enablesFirst: true),
    ]

    /// Returns the event of a chip; nil if its driver has none in the table.
    ///
    /// - Parameters:
    ///   - driver: The name of the kernel driver.
    ///   - scale: m/s² per raw unit.
    ///   - isPresent: Whether the device has an attribute in the folder `events`.
    init?(driver: String?, scale: Double, isPresent: (String) -> Bool) {
        guard let driver, let family = Self.families.first(where: { $0.drivers.contains(driver) }) else { return nil }
        let needed = family.enable + family.thresholds.map(\.name) + (family.requirement.map { [$0] } ?? [])
        guard scale.isFinite, scale != 0, needed.allSatisfy(isPresent) else { return nil }
        enable = family.enable
        enablesFirst = family.enablesFirst
        thresholds = family.thresholds.map { .init(name: $0.name, value: $0.threshold.text(scale: abs(scale))) }
    }
}

extension MotionEvent.Threshold {
    /// The text for a chip with this scale, in m/s² per raw unit; at least one unit.
    fileprivate func text(scale: Double) -> String {
        switch self {
        case .text(let text): return text
        case .raw(let acceleration, let unit):
            let count = min(max((acceleration.magnitude / (scale * unit)).rounded(), 1), Self.largestCount)
            return "\(acceleration < 0 ? -Int(count) : Int(count))"
        }
    }

    /// More than any register holds: the driver refuses it.
    private static let largestCount = 65_535.0
}
