// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Posix

/// A command that removes the cause of a finding. Commands that only print something do not count.
///
/// Each kind has a row in `remedies.py` of `Tests/System/VirtualMachine/guest/tests` or `Tests/System/Screen`, which runs
/// the printed text where its fault exists, and examines again.
struct Fix: Hashable {
    enum Kind: String, CaseIterable {
        case loadDrivers, loadDriver, reloadDriver, setProperty, calibrate, createAccounts, permitReading, changeGroups
        case startUdev, enableRule, applyRules, processDevices, disableBuffer, endProgram, maskProxy
        case enableUnit, unmaskUnits, resetFailedUnit, restart, setSocketMode, unlock, startTabletSwitch
        case startAgent, setOutput, examineAsRoot
    }

    let kind: Kind
    let command: String

    init(_ kind: Kind, _ command: String) {
        (self.kind, self.command) = (kind, command)
    }
}

extension Fix {
    /// How to replace iio-sensor-proxy by the daemon, and how to get the agent. No command: distributions have different ones.
    static let serveDesktops = "install the package orientationd-sensorproxy"
    static let installAgent = "install the package orientation-autorotate"

    static let examineAsRoot = Fix(.examineAsRoot, "sudo orientationctl doctor")
    static let createAccounts = Fix(.createAccounts, "sudo systemd-sysusers")
    /// Estimates a mount matrix and installs it.
    static let calibrate = Fix(.calibrate, "sudo orientationctl calibrate --write")
    static let unlock = Fix(.unlock, "orientationctl unlock")

    /// Ends a program. kill(1) may be missing, the shell has one.
    static func end(_ process: ProcessFacts.Process) -> Fix {
        Fix(.endProgram, "sudo sh -c 'kill \(process.identifier)'")
    }

    /// Starts the tablet switch, now and at each boot.
    static let startTabletSwitch = Fix(.startTabletSwitch, "sudo systemctl enable --now orientation-tablet-switch")
}

// MARK: The service

extension Fix {
    /// Restarts the daemon, or starts it, at a new socket.
    static let restart = Fix(.restart, "sudo systemctl restart orientationd.socket orientationd.service")

    /// Starts a unit that is stopped, now and at each boot.
    static func enable(_ unit: ServiceFacts.Unit) -> Fix {
        Fix(.enableUnit, "sudo systemctl enable --now \(unit.name)")
    }

    /// Starts units again that failed; each has a limit of starts.
    static let resetFailed = Fix(
        .resetFailedUnit, "sudo systemctl reset-failed orientationd.socket orientationd.service && \(restart.command)")

    /// Overrides the mode of the socket that a drop-in sets: a file of this name is applied after the others.
    static let setSocketMode: Fix = {
        let folder = "/etc/systemd/system/orientationd.socket.d"
        return Fix(
            .setSocketMode,
            "sudo mkdir -p \(folder) && printf '[Socket]\\nSocketMode=0666\\n' | sudo tee \(folder)/zz-mode.conf && "
                + "sudo systemctl daemon-reload && \(restart.command)")
    }()

    /// Makes the system's daemon reachable at its socket; nil if that takes no command. For each message about a refused
    /// connection.
    static func reach(_ service: ServiceFacts, _ initSystem: InitSystem) -> Fix? {
        guard initSystem == .systemd else { return initSystem.restart }
        let units = ["orientationd.socket", "orientationd.service"].compactMap(service.unit)
        guard units.count == 2 else { return nil }
        let masked = units.filter { $0[.load] == "masked" }
        if !masked.isEmpty { return unmask(masked) }
        // A unit that systemd cannot use.
        guard units.allSatisfy({ $0[.load] == "loaded" }) else { return nil }
        if units.contains(where: { $0[.active] == "failed" }) { return resetFailed }
        if units[0].restrictsSocket { return setSocketMode }
        return units[0][.active] == "active" ? restart : enable(units[0])
    }

    private static func unmask(_ units: [ServiceFacts.Unit]) -> Fix {
        // A mask in /run ends with the next boot.
        let commands = units.map { unit in
            "sudo systemctl unmask \(unit[.file] == "masked-runtime" ? "--runtime " : "")\(unit.name)"
        }
        return Fix(
            .unmaskUnits, (commands + ["sudo systemctl enable --now orientationd.socket"]).joined(separator: " && "))
    }
}

// MARK: Devices and udev

extension Fix {
    /// Reloads udev's rules and applies them to every accelerometer, or to other devices.
    static func applyRules(to subsystem: String = "iio") -> Fix {
        Fix(
            .applyRules, "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=\(subsystem)"
        )
    }

    static func reloadDriver(_ module: String) -> Fix {
        Fix(.reloadDriver, "sudo modprobe -r \(module) && sudo modprobe \(module)")
    }

    /// Sets a udev property of one sensor, by a rule that stays until it is removed. It matches the name, or what
    /// distinguishes the sensor from those in `equal`: the hardware above it, else the number.
    static func property(
        _ property: SensorProperty, _ value: String, of sensor: DeviceFacts, among equal: [DeviceFacts] = []
    ) -> Fix {
        let key: (String, String)
        if equal.isEmpty {
            key = (sensor.subsystem == "input" ? "ATTRS{name}" : "ATTR{name}", sensor.name)
        } else if let hardware = sensor.hardware, equal.count(where: { $0.hardware == hardware }) == 1 {
            key = ("KERNELS", hardware)
        } else {
            key = ("KERNEL", sensor.id)
        }
        let match = "\(key.0)==\"\(quoted(key.1))\""
        let rule = "SUBSYSTEM==\"\(sensor.subsystem)\", \(match), ENV{\(property.rawValue)}=\"\(value)\""
        return Fix(
            .setProperty,
            "echo '\(rule)' | sudo tee -a /etc/udev/rules.d/69-accelerometer.rules && "
                + applyRules(to: sensor.subsystem).command)
    }

    /// Returns a name for the quotes of udev and of the shell; a question mark matches any character.
    private static func quoted(_ name: String) -> String {
        String(name.map { isPlain($0) || ".,:+ ".contains($0) ? $0 : "?" })
    }

    /// Whether a character of a name means nothing else in a command.
    static func isPlain(_ letter: Character) -> Bool {
        letter.isASCII && (letter.isLetter || letter.isNumber || letter == "_" || letter == "-")
    }
}
