// SPDX-License-Identifier: Apache-2.0

/// Commands that mend, where more than one check asks for the same.
enum Mend {
    /// Lets udev read its rules anew and run them for every accelerometer.
    static let applyRules = "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=iio"

    /// Puts the daemon in the place of iio-sensor-proxy. To mask that alone would leave desktops with nobody.
    static let serveDesktops = "sudo orientationd-desktops on"

    /// Finds a mount matrix and installs it.
    static let calibrate = "sudo orientationctl calibrate --write"

    /// Sets a property for one device, until somebody removes the rule.
    static func property(_ name: String, _ value: String, of device: DeviceFacts) -> String {
        rule("ENV{\(name)}=\"\(value)\"", of: device)
    }

    /// Shows which file of udev's sets a property; what is wrong is mended there.
    static func findProperty(_ name: String) -> String {
        "grep -rn \(name) /etc/udev /run/udev/rules.d /usr/lib/udev/hwdb.d /usr/lib/udev/rules.d"
    }

    private static func rule(_ assignment: String, of device: DeviceFacts) -> String {
        let match = "SUBSYSTEM==\"iio\", ATTR{name}==\"\(device.name)\", "
        return "echo '\(match)\(assignment)' | sudo tee -a /etc/udev/rules.d/69-accelerometer.rules && \(applyRules)"
    }
}
