// SPDX-License-Identifier: Apache-2.0

import OrientationModel

extension Check {
    /// Checks that the kernel supports industrial I/O.
    static let kernel = single("kernel") { facts in
        let kernel = facts.kernel
        if kernel.hasBus { return .ok("kernel \(kernel.release) supports industrial I/O") }
        if !kernel.hasModules {
            return facts.serious(
                "/lib/modules has no drivers for the running kernel, \(kernel.release)",
                kernel.isContainer
                    ? "This is a container: the sensors and their drivers belong to its host; run the doctor there"
                    : "The kernel was updated: no driver can be loaded until a reboot")
        }
        guard kernel.offersBus else {
            return facts.serious(
                "kernel \(kernel.release) has no driver for industrial I/O",
                "No accelerometer is supported. Kernels for virtual machines lack these drivers: install a kernel that has them (Debian: linux-image-amd64 or linux-image-arm64), or the other modules of this one (Ubuntu: linux-modules-extra-\(kernel.release))"
            )
        }
        return .note(
            "kernel \(kernel.release) has not loaded industrialio",
            "The driver of an accelerometer loads it: there is no accelerometer, or its driver is not loaded",
            fix: Fix(
                .loadDrivers,
                "sudo udevadm trigger --action=add --subsystem-match=i2c --subsystem-match=hid "
                    + "--subsystem-match=platform"))
    }

    /// Lists the accelerometers.
    static let devices = Check("devices") { facts in
        let inputs = facts.inputAccelerometers.map { input($0, facts) }
        if facts.accelerometers.isEmpty, facts.candidates.isEmpty, facts.coreSensors.isEmpty {
            return inputs + [facts.serious("the kernel reports no accelerometer", absence(facts))]
        }
        let devices = facts.accelerometers.map { device($0, isOnlyOne: facts.usable.isEmpty, facts) }
        return devices + inputs + [rejected(facts), guess(facts)].compactMap(\.self)
    }

    /// Why there is no accelerometer, as far as known.
    private static func absence(_ facts: MachineFacts) -> String {
        if !facts.driverless.isEmpty { return "A driver is missing; see below" }
        if let core = facts.sensorCore {
            return "The DSP of this Snapdragon (\(core)) lists none: the finding about the sensor gives the reason. It "
                + "needs its firmware, hexagonrpcd and the registry of the machine's vendor; see --sensor ssc: in orientationd(8)"
        }
        if !facts.hubs.isEmpty {
            return
                "The sensor hub is present (\(facts.hubs.joined(separator: ", "))), and offers no accelerometer: its "
                + "firmware has none, or its start failed; lines of that driver in the kernel's log say which"
        }
        return "The machine has none, or its firmware does not declare it. 'orientationctl lock --cycle' rotates the "
            + "display by hand. A simulated device works without one: see --sensor fake: in orientationd(8)"
    }

    private static func input(_ device: DeviceFacts, _ facts: MachineFacts) -> Finding {
        let title = "\(device.title), an input device,"
        guard let rejection = device.rejection else {
            return .ok("\(title) is an accelerometer in the \(device.traits.location)")
        }
        return device.id == facts.requested
            ? .ok("\(title) is an accelerometer, used on request", rejection)
            : .note("\(title) is not used as an accelerometer", rejection)
    }

    /// Reports that the daemon uses none of the sensors, with the command for the one that is most likely in the display.
    private static func rejected(_ facts: MachineFacts) -> Finding? {
        let candidates = facts.candidates
        let ranks: [(DeviceFacts) -> Bool] = [
            { !$0.traits.isElsewhere && $0.traits.turnsWithDisplay }, { !$0.traits.isElsewhere }, { _ in true },
        ]
        guard let first = ranks.compactMap({ candidates.first(where: $0) }).first,
            let rejection = first.traits.rejection,
            candidates.allSatisfy({ $0.traits.rejection != nil }), !facts.requestsSensor
        else { return nil }
        let subject =
            candidates.count == 1 ? "the only accelerometer" : "the likeliest of \(candidates.count) accelerometers"
        let namesakes = candidates.filter { $0.subsystem == first.subsystem && $0.name == first.name }
        let isInOtherPart = !first.traits.turnsWithDisplay
        return facts.serious(
            "\(subject), \(first.title), is "
                + (isInOtherPart ? "located in the \(first.traits.location)" : "not used: \(rejection)"),
            isInOtherPart
                ? "It does not measure the orientation of the display, and is not used. If it is in the display, set the location in udev"
                : "It may not turn with the display. If it does, set its location in udev, or start the daemon with --sensor",
            fix: .property(
                .location, "display", of: first, among: namesakes.count > 1 ? namesakes : []))
    }

    /// Reports sensors of which the daemon chooses one by its number, with the rule that decides.
    private static func guess(_ facts: MachineFacts) -> Finding? {
        let usable = facts.candidates.filter { $0.traits.rejection == nil }
        let stated = usable.filter(\.traits.isLocationStated)
        let preferred = stated.isEmpty ? usable : stated
        // Among equals an input device is used only without an IIO device.
        let equal = preferred.filter { $0.subsystem == preferred.first?.subsystem }
        guard equal.count > 1, !facts.requestsSensor else { return nil }
        let used = facts.daemon.sensors.first(where: \.isChosen)?.id
        let chosen = equal.first { $0.id == used } ?? equal[0]
        return .note(
            "\(equal.map(\.title).joined(separator: ", ")): udev does not state which of them is in the display",
            "The daemon uses \(chosen.id), which is a guess. If the display turns the wrong way, it is in the base: state "
                + "that in udev, by its path, because sensors of one hub have the same modalias",
            fix: .property(.location, "base", of: chosen, among: equal))
    }

    private static func device(_ device: DeviceFacts, isOnlyOne: Bool, _ facts: MachineFacts) -> Finding {
        let driver = device.attributes.driver.map { ", driver \($0)" } ?? ""
        guard device.missingAxes.isEmpty else {
            let axes = device.missingAxes.joined(separator: " and ")
            let summary = "\(device.title)\(driver) does not measure \(axes)"
            let detail = "The orientation needs all three axes: this sensor is not used"
            return isOnlyOne ? facts.serious(summary, detail) : .note(summary, detail)
        }
        if let rejection = device.traits.rejection, device.id == facts.requested {
            return .ok("\(device.title)\(driver) is an accelerometer, used on request", rejection)
        }
        let summary = "\(device.title)\(driver) is an accelerometer in the \(device.traits.location)"
        guard let rejection = device.traits.rejection, device.traits.turnsWithDisplay else {
            return .ok(summary, device.traits.rejection)
        }
        return .note("\(device.title)\(driver) is not used as an accelerometer", rejection)
    }

    /// Lists accelerometers that firmware declares and that have no driver.
    static let drivers = Check("drivers") { facts in
        facts.driverless.map { device in
            let modules = device.modules.joined(separator: " or ")
            let summary = "\(device.name) (\(device.bus)) has no driver"
            let unloaded = device.modules.filter { !device.loaded.contains($0) }
            // A problem only if no other accelerometer is usable.
            let isNeeded = facts.usable.isEmpty && !facts.hasInputAccelerometer
            let finding = isNeeded ? facts.serious : { .note($0, $1, fix: $2) }
            if device.modules.isEmpty {
                return finding(
                    "no driver of this kernel knows \(device.name) (\(device.bus))",
                    "By its name it is a sensor, perhaps an accelerometer: a newer kernel may have a driver; please report it "
                        + "with --report", nil)
            }
            guard let module = unloaded.first else {
                return finding(summary, "\(modules) is loaded and did not bind to it: the kernel's log says why", nil)
            }
            let detail =
                device.bus == "acpi"
                ? "It may be an accelerometer for \(modules), but its bus was not found; the driver of the bus may be missing"
                : "It may be an accelerometer: \(modules) supports it and is not loaded"
            return finding(summary, detail, Fix(.loadDriver, "sudo modprobe \(module)"))
        }
    }
}
