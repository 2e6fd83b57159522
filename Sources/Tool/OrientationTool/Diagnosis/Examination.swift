// SPDX-License-Identifier: Apache-2.0

/// The diagnosis of a machine on which the display does not rotate as expected: facts in, findings out.
///
///     let examination = Examination(facts)
///     print(examination.text(all: false, width: 80))
struct Examination {
    /// The findings in the order of the checks.
    let findings: [Finding]

    /// All checks, from the kernel up: earlier fixes are preconditions of later ones. A new check is a static member in
    /// `Checks` and a row here.
    static let checks: [Check] = [
        .kernel, .devices, .drivers, .permissions, .groups, .udev, .properties, .matrix, .reading, .buffer, .proxy,
        .service, .socket, .sensor, .ambient, .natural, .lock, .tabletMode, .lid, .display, .classifier, .errors,
        .coverage, .unread,
    ]

    init(_ facts: MachineFacts) {
        findings = Self.checks.flatMap { $0.findings(facts) }.map { finding in
            var finding = finding
            finding.fix = finding.fix.flatMap(facts.initSystem.command)
            return finding
        }
    }

    func count(_ level: Finding.Level) -> Int {
        findings.count { $0.level == level }
    }
}

struct Finding: Hashable {
    enum Level: String {
        /// No action needed.
        case ok
        /// Works, but may explain unexpected behaviour.
        case note
        case problem
    }

    fileprivate(set) var check = ""
    var level: Level
    /// What was found, in one sentence without a full stop.
    var summary: String
    /// The consequence for the user; nil if the summary says it.
    var detail: String?
    /// The command that fixes it; nil if there is none.
    var fix: String?

    static func ok(_ summary: String, _ detail: String? = nil) -> Finding {
        Finding(level: .ok, summary: summary, detail: detail)
    }

    static func note(_ summary: String, _ detail: String, fix: String? = nil) -> Finding {
        Finding(level: .note, summary: summary, detail: detail, fix: fix)
    }

    static func problem(_ summary: String, _ detail: String, fix: String? = nil) -> Finding {
        Finding(level: .problem, summary: summary, detail: detail, fix: fix)
    }

    /// Adds the instruction to the detail, and sets the command as the fix.
    func adding(_ remedy: Autostart.Remedy) -> Finding {
        var finding = self
        finding.detail = [detail, remedy.instruction].compactMap(\.self).joined(separator: "; ")
        finding.fix = remedy.command
        return finding
    }
}

/// A check: a name and a function from facts to findings.
struct Check {
    let name: String
    private let examine: @Sendable (MachineFacts) -> [Finding]

    init(_ name: String, _ examine: @escaping @Sendable (MachineFacts) -> [Finding]) {
        self.name = name
        self.examine = examine
    }

    static func single(_ name: String, _ examine: @escaping @Sendable (MachineFacts) -> Finding?) -> Check {
        Check(name) { facts in examine(facts).map { [$0] } ?? [] }
    }

    func findings(_ facts: MachineFacts) -> [Finding] {
        examine(facts).map { finding in
            var finding = finding
            finding.check = name
            return finding
        }
    }
}

/// Fix commands that several checks use.
enum Fix {
    /// Reloads udev's rules and applies them to every accelerometer.
    static let applyRules = applyRules(to: "iio")

    private static func applyRules(to subsystem: String) -> String {
        "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=\(subsystem)"
    }

    /// How to replace iio-sensor-proxy by the daemon, and how to get the agent. No command: distributions have different ones.
    static let serveDesktops = "install the package orientationd-sensorproxy"
    static let installAgent = "install the package orientation-autorotate"

    /// Restarts the daemon; starts it if it does not run.
    static let restart = "sudo systemctl restart orientationd.service"

    /// Starts the tablet switch, now and at each boot.
    static let startTabletSwitch = "sudo systemctl enable --now orientation-tablet-switch"

    /// Estimates a mount matrix and installs it.
    static let calibrate = "sudo orientationctl calibrate --write"

    /// Sets a udev property of one sensor, by a rule that stays until it is removed. It matches the name, or what
    /// distinguishes the sensor from those in `equal`: the hardware above it, else the number.
    static func property(
        _ name: String, _ value: String, of sensor: DeviceFacts, among equal: [DeviceFacts] = []
    ) -> String {
        let key: (String, String)
        if equal.isEmpty {
            key = (sensor.subsystem == "input" ? "ATTRS{name}" : "ATTR{name}", sensor.name)
        } else if let hardware = sensor.hardware, equal.count(where: { $0.hardware == hardware }) == 1 {
            key = ("KERNELS", hardware)
        } else {
            key = ("KERNEL", sensor.id)
        }
        let match = "\(key.0)==\"\(quoted(key.1))\""
        let rule = "SUBSYSTEM==\"\(sensor.subsystem)\", \(match), ENV{\(name)}=\"\(value)\""
        return "echo '\(rule)' | sudo tee -a /etc/udev/rules.d/69-accelerometer.rules && "
            + applyRules(to: sensor.subsystem)
    }

    /// Shows the udev file that sets a property, to be corrected there.
    static func findProperty(_ name: String) -> String {
        "grep -rn \(name) /etc/udev /run/udev/rules.d /usr/lib/udev/hwdb.d /usr/lib/udev/rules.d"
    }

    /// Returns a name for the quotes of udev and of the shell; a question mark matches any character.
    private static func quoted(_ name: String) -> String {
        let isPlain = { (letter: Character) in
            letter.isASCII && (letter.isLetter || letter.isNumber || "_-.,:+ ".contains(letter))
        }
        return String(name.map { isPlain($0) ? $0 : "?" })
    }
}
