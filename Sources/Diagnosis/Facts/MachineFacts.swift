// SPDX-License-Identifier: Apache-2.0

/// All that was seen of a machine. It is gathered by whoever can look, and judged by ``Examination``, which cannot.
package struct MachineFacts: Sendable {
    package var kernel = KernelFacts()
    /// The industrial-I/O devices that are accelerometers, in the order of their numbers.
    package var accelerometers: [DeviceFacts] = []
    /// Devices that an accelerometer's driver would take if it were loaded.
    package var driverless: [DriverlessDevice] = []
    package var udev = UdevFacts()
    /// Whoever runs the examination.
    package var caller = Account(name: "root", user: 0, groups: [0])
    /// Whom the daemon runs as, or would run as; nil where there is no such user.
    package var daemonAccount: Account? = Account(name: "root", user: 0, groups: [0])
    package var processes = ProcessFacts()
    package var service = ServiceFacts()
    package var daemon = DaemonFacts()
    package var journal = JournalFacts()
    /// The event nodes with the switch of a convertible's hinge.
    package var tabletSwitches: [TabletSwitchFacts] = []

    package init() {}
}

extension MachineFacts {
    /// What the daemon was told to read, as far as that is known.
    var source: String {
        daemon.status?.source ?? daemonArguments.value(of: "--sensor") ?? "auto"
    }

    /// Whether the daemon reads this machine's own accelerometers. If it does not, what is wrong with them is nobody's
    /// trouble now.
    var usesOwnSensor: Bool {
        source.split(separator: ",").contains { part in
            part == "auto" || part == "iio:" || part.hasPrefix("iio:") && !Self.isElsewhere(part)
        }
    }

    private static func isElsewhere(_ source: Substring) -> Bool {
        ["iio:ip:", "iio:usb:", "iio:serial:", "iio:xml:"].contains { source.hasPrefix($0) }
    }

    /// The words that the daemon was started with: those of the one that runs, else of its unit. One that listens
    /// elsewhere is another.
    var daemonArguments: [String] {
        let running = processes.named("orientationd").map(\.arguments)
        return running.first { ($0.value(of: "--socket") ?? daemon.socket) == daemon.socket }
            ?? service.unit("orientationd.service")?.arguments ?? []
    }

    /// The accelerometers with which the daemon can do something.
    var usable: [DeviceFacts] {
        accelerometers.filter { $0.missingAxes.isEmpty && $0.location.name != "base" }
    }

    /// `problem` where the daemon depends on this machine's accelerometers, else `note`.
    func serious(_ seen: String, _ meaning: String, mend: String? = nil) -> Finding {
        usesOwnSensor ? .problem(seen, meaning, mend: mend) : .note(seen, meaning, mend: mend)
    }
}

extension [String] {
    /// The value of a long option: `--name value` or `--name=value`; the last counts.
    func value(of option: String) -> String? {
        var found: String?
        for (index, word) in enumerated() {
            if word == option, index + 1 < count { found = self[index + 1] }
            if word.hasPrefix(option + "=") { found = String(word.dropFirst(option.count + 1)) }
        }
        return found
    }
}
