// SPDX-License-Identifier: Apache-2.0

/// The location of an accelerometer in the device: `display`, `lid`, `base` or `camera`.
///
/// Only a sensor in the display or the lid turns with the display. The keyboard and the palm rest are parts of the base. A
/// camera may be rotated against the display.
package enum SensorLocation {
    /// The valid values of the udev property ACCEL_LOCATION.
    static let properties = ["display", "lid", "base"]

    /// Returns the first location that udev's property, the label or the attribute `location` states; nil without one.
    static func first(property: String?, label: String?, attribute: String?) -> String? {
        property ?? [label, attribute].lazy.compactMap { $0.flatMap(named) }.first
    }

    /// Returns the location in a name given by firmware or a driver, such as `accel-base`; nil for a name without one.
    static func named(_ name: String) -> String? {
        let words = name.lowercased().split { !$0.isLetter }
        let places = [
            "display": "display", "lid": "lid", "base": "base", "keyboard": "base", "palmrest": "base",
            "camera": "camera",
        ]
        return words.lazy.compactMap { places[String($0)] }.first
    }

    /// Returns whether a sensor protects the disk of a notebook: the chip is on the main board, in the base. The same chip
    /// is in the display of phones.
    static func isFreeFallSensor(_ attributes: SensorAttributes) -> Bool {
        let names = [attributes.driver, attributes.text("name"), attributes.input?.name].compactMap { $0?.lowercased() }
        return attributes.isInNotebook
            && names.contains { name in ["lis3lv02d", "toshiba"].contains(where: name.contains) }
    }

    /// Returns why a sensor at a location is used only on request; nil for one that turns with the display.
    static func rejection(of location: String) -> String? {
        ["base", "camera"].contains(location) ? "in the \(location), not in the display" : nil
    }
}
