// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// All facts about a machine: collected by `orientationctl doctor`, checked by ``Examination``.
struct MachineFacts {
    var kernel = KernelFacts()
    /// The IIO accelerometers, ordered by device number.
    var accelerometers: [DeviceFacts] = []
    /// The accelerometers among the input devices, which are used if no other is.
    var inputAccelerometers: [DeviceFacts] = []
    /// Devices without a driver that match an accelerometer driver.
    var driverless: [DriverlessDevice] = []
    /// The sensor hubs, and the node of a Snapdragon sensor core.
    var hubs: [String] = []
    var sensorCore: String?
    /// Whether /etc is on a read-only file system.
    var hasReadOnlySettings = false
    var udev = UdevFacts()
    /// The first file that could not be read although it may be, and why.
    var unread: String?
    var caller = Account(name: "root", user: 0, groups: [0])
    /// The user of the daemon; nil if it does not exist.
    var daemonAccount: Account? = Account(name: "root", user: 0, groups: [0])
    var accounts = AccountDatabase(passwd: "", group: "")
    var processes = ProcessFacts()
    var initSystem = InitSystem.systemd
    var service = ServiceFacts()
    var daemon = DaemonFacts()
    /// The service's warnings and errors since boot, newest last; nil if its log cannot be read.
    var warnings: [String]? = []
    /// The kernel's event nodes with a tablet switch.
    var tabletSwitches: [(node: String, device: InputAttributes)] = []
    /// The chassis, if it is made for a keyboard, and the attached keyboards.
    var chassis: Chassis?
    /// Whether a switch follows the lid angle: orientation-tablet-switch.
    var hasDerivedSwitch = false
    /// Whether a sensor hub has a hinge sensor without a driver.
    var hasDriverlessHinge = false
    /// What rotates the display of the caller's session.
    var display = DisplayFacts.noSession
    /// What starts the session agent at each login.
    var autostart = Autostart.unit
}

extension MachineFacts {
    /// The value of `--sensor`, as far as known: the list of sensors shows to every user that they are not the machine's.
    var source: String {
        if let source = daemon.status?.source ?? daemonArguments.value(of: "--sensor") { return source }
        guard let used = daemon.sensors.first(where: \.isChosen), used.driver != SensorCore.scheme,
            !["iio:", "event"].contains(where: used.id.hasPrefix)
        else { return "auto" }
        return used.id
    }

    /// Where the options of the daemon can be changed, as a sentence.
    var placeOfOptions: String {
        let files = service.unit("orientationd.service")?[.dropIns] ?? ""
        return files.isEmpty ? "Its command line is in orientationd.service" : "Its command line is in \(files)"
    }

    /// Whether the daemon uses this machine's own accelerometers; if not, their faults are notes.
    var usesOwnSensor: Bool {
        source.split(separator: ",").contains {
            ["auto", "iio", "evdev", SensorCore.scheme].contains(String($0.prefix { $0 != ":" }))
        }
    }

    /// The command line of the daemon that was examined, else of the system's unit if it is that one.
    var daemonArguments: [String] {
        let running = processes.running("orientationd").first {
            $0.arguments.value(of: "--socket").map { $0 == daemon.socket } ?? (daemon.isSystems || !$0.isService)
        }
        if let running { return running.arguments }
        return daemon.isSystems ? service.unit("orientationd.service")?.arguments ?? [] : []
    }

    /// The accelerometer that the daemon uses on request; nil if it chooses by itself.
    var requested: String? { requestsSensor ? daemon.sensors.first(where: \.isChosen)?.id : nil }

    /// The accelerometers that the daemon can use by itself, and the one that it uses on request.
    var usable: [DeviceFacts] {
        accelerometers.filter {
            $0.missingAxes.isEmpty && ($0.traits.rejection == nil || $0.id == requested)
        }
    }

    /// The accelerometers that could be used, on request at least.
    var candidates: [DeviceFacts] {
        accelerometers.filter(\.missingAxes.isEmpty) + inputAccelerometers.filter { $0.traits.defect == nil }
    }

    /// The accelerometers of the sensor core, as the daemon lists them.
    var coreSensors: [SensorDescription] { daemon.sensors.filter { $0.driver == SensorCore.scheme } }

    /// Whether `--sensor` names an accelerometer of this machine, as in `iio:NAME`.
    var requestsSensor: Bool {
        source.split(separator: ",").contains { part in
            ["iio:", "evdev:", SensorCore.scheme + ":"].contains { part.hasPrefix($0) && part.count > $0.count }
        }
    }

    /// Whether the daemon can use an accelerometer that is an input device.
    var hasInputAccelerometer: Bool {
        inputAccelerometers.contains { $0.rejection == nil || $0.id == requested }
    }

    /// Returns a problem if the daemon depends on this machine's accelerometers, else a note.
    func serious(_ summary: String, _ detail: String, fix: Fix? = nil) -> Finding {
        usesOwnSensor ? .problem(summary, detail, fix: fix) : .note(summary, detail, fix: fix)
    }
}

extension [String] {
    /// Returns the value of a long option, `--name value` or `--name=value`; the last one counts.
    func value(of option: String) -> String? {
        var found: String?
        for (index, word) in enumerated() {
            if word == option, index + 1 < count { found = self[index + 1] }
            if word.hasPrefix(option + "=") { found = String(word.dropFirst(option.count + 1)) }
        }
        return found
    }
}
