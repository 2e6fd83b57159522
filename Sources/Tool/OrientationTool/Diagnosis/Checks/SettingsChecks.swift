// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire

extension Check {
    /// Reports the natural orientation, which decides which poses are portrait and which are landscape.
    static let natural = single("natural") { facts in
        guard let sensor = facts.daemon.sensors.first(where: \.isChosen), let natural = sensor.natural else {
            return nil
        }
        let source = sensor.naturalSource ?? "an unknown source"
        return .ok(
            "the natural orientation is \(natural), from \(source)",
            !source.hasPrefix("default")
                ? nil
                : "Right for a panel that is at least as tall as it is wide; for a wider one, set the udev property "
                    + "ORIENTATIOND_NATURAL_ORIENTATION or the option --natural-orientation to landscapeLeft")
    }

    /// Checks the rotation lock, the most frequent cause.
    static let lock = single("lock") { facts in
        guard let state = facts.daemon.state else { return nil }
        guard state.isLocked else { return .ok("the rotation lock is off") }
        return .note(
            "the rotation lock is \(state.lockText)",
            facts.display.desktop.map(SessionDisplay.lockNote) ?? "The display does not rotate while it is locked",
            fix: .unlock)
    }

    /// Checks the tablet switch: many desktops rotate in tablet mode only.
    static let tabletMode = Check("tabletMode") { facts in
        [tabletMode(facts), tabletSwitches(facts)].compactMap(\.self)
    }

    /// Names the switches of a machine that has several: one of them may never change.
    private static func tabletSwitches(_ facts: MachineFacts) -> Finding? {
        guard facts.tabletSwitches.count > 1 else { return nil }
        let names = facts.tabletSwitches.map { "\($0.node) (\($0.device.name ?? "unnamed"))" }
        return .note(
            "there are \(names.count) tablet switches: \(names.joined(separator: ", "))",
            "Tablet mode is on while any of them reports it. If it is wrong, 'libinput debug-events' shows which one is stuck"
        )
    }

    private static func tabletMode(_ facts: MachineFacts) -> Finding? {
        guard let state = facts.daemon.state else { return nil }
        if let text = state.overruledSwitchText {
            return .note(
                text,
                "The display and apps follow the lid angle. The keyboard and the touchpad follow the switch of the kernel, in its "
                    + "driver or firmware")
        }
        switch state.tabletMode {
        case true?: return .ok("tablet mode is on")
        case false? where state.lidAngle != nil:
            let source = facts.tabletSwitches.isEmpty ? "lid angle" : "tablet switch"
            return .ok("tablet mode is off, as the \(source) says")
        case false? where facts.display.rotatesAlways:
            return .ok("tablet mode is off, and the display rotates in every mode: --when always")
        case false?:
            return .note(
                "tablet mode is off",
                "Many desktops rotate the display in tablet mode only. If the switch never changes, or only when the device is "
                    + "folded completely: orientation-autorotate --when always rotates in every mode"
            ).adding(facts.autostart.edit)
        case nil:
            guard let found = facts.tabletSwitches.first else {
                // The lid angle may be known later.
                return facts.hinge == nil ? facts.chassis.map { laptop($0, facts) } : nil
            }
            let name = found.device.name ?? found.node
            let summary = "\(found.node) (\(name)) has a tablet switch, which the daemon does not read"
            guard let rejection = found.device.switchRejection else {
                return .note(
                    summary, "Apps do not receive the tablet mode",
                    fix: .applyRules(to: "input"))
            }
            return .note(
                "\(summary): \(rejection)",
                "Apps do not receive the tablet mode, and no setting changes that. "
                    + "orientation-autorotate --when always rotates without it")
        }
    }

    /// Reports that orientation-autorotate does not rotate a laptop without a tablet switch, or that it does while no keyboard is
    /// attached.
    private static func laptop(_ chassis: Chassis, _ facts: MachineFacts) -> Finding {
        guard let reason = chassis.laptopReason else {
            return .ok(
                "this is a \(chassis.description), and no keyboard is attached: the display rotates",
                "orientation-autorotate --when never keeps it")
        }
        if facts.display.rotatesAlways { return .ok("this is a \(reason), and the display rotates: --when always") }
        return .note(
            "this is a \(reason): orientation-autorotate does not rotate the display",
            "Use --when always if that device is no keyboard, or the keyboard is folded away"
        ).adding(facts.autostart.edit)
    }

    /// Checks whether a laptop without a tablet switch measures its lid angle, and whether a switch follows it.
    static let lid = Check("lid") { facts in
        let state = facts.daemon.state
        // Without a lid angle the tablet mode is that of a switch, which may be a simulated one.
        guard facts.tabletSwitches.isEmpty, state?.tabletMode == nil || state?.lidAngle != nil else { return [] }
        let hinge = facts.hinge
        let missing = Finding.note(
            "the sensor hub has a hinge sensor (HID-SENSOR-INT-020b), for which this kernel has no driver",
            hinge == nil
                ? "The lid angle is not known. The driver is hid-sensor-custom-intel-hinge "
                    + "(CONFIG_HID_SENSOR_CUSTOM_INTEL_HINGE), which several distributions do not build"
                : "The accelerometers in both halves are used instead")
        let findings = facts.hasDriverlessHinge ? [missing] : []
        guard let hinge else { return findings }
        guard !facts.hasDerivedSwitch else {
            return findings + [.ok("the tablet switch of this project follows the lid angle of \(hinge.title)")]
        }
        let isPair = facts.accelerometers.contains { $0.id == hinge.id }
        return findings + [
            .note(
                "this laptop has \(isPair ? "two accelerometers" : "a hinge sensor") and no tablet switch: the desktop "
                    + "receives no tablet mode",
                "orientation-autorotate finds it; but the keyboard stays on when the lid is folded back. The package "
                    + "orientation-tablet-switch provides a switch that follows the lid angle",
                fix: facts.service.unit("orientation-tablet-switch.service").map { _ in .startTabletSwitch })
        ]
    }

    /// Checks for changed classifier settings, which change when the display rotates.
    static let classifier = Check("classifier") { facts in
        let machine = facts.daemonArguments.value(of: "--classifier")
            .map { ($0, "the option --classifier", facts.placeOfOptions) }
        let devices = facts.usable.compactMap { device in
            device.udev.properties[SensorProperty.classifier.rawValue]
                .map { ($0, "udev for \(device.title)", device.place(of: .classifier)) }
        }
        let tunings = [machine].compactMap { $0 } + devices
        let findings = tunings.compactMap { text, place, file -> Finding? in
            // Invalid settings are reported by the check "properties".
            guard let settings = try? ClassifierSettings(text), settings != .standard else { return nil }
            return .note(
                "the classifier is \(text), set by \(place)",
                "\(differences(settings)). Without this setting, the standard classifier is used. \(file)")
        }
        return findings.isEmpty ? [.ok("the classifier is the standard one")] : findings
    }

    private static func differences(_ settings: ClassifierSettings) -> String {
        ClassifierSettings.all.compactMap { setting in
            let (value, standard) = (setting.value(in: settings), setting.value(in: .standard))
            return value == standard ? nil : "\(setting.name) is \(value.brief), not \(standard.brief)"
        }.joined(separator: ", ")
    }

    /// Lists what could not be checked, so that the result is not better than justified.
    static let coverage = single("coverage") { facts in
        var unchecked: [String] = []
        if !facts.processes.isComplete { unchecked.append("which program captures from a sensor") }
        if facts.daemon.failure == nil, facts.daemon.status == nil {
            unchecked.append("the daemon's status and the motion")
        }
        if facts.warnings == nil, facts.service.failure == nil { unchecked.append("the service's log") }
        guard !unchecked.isEmpty else { return nil }
        let list = unchecked.joined(separator: ", ")
        return facts.caller.user == 0
            ? .note("not checked: \(list)", "The other findings do not depend on it")
            : .note("not checked without root: \(list)", "These need root", fix: .examineAsRoot)
    }

    static let unread = single("unread") { facts in
        facts.unread.map { .note("cannot read \($0)", "Other findings may be wrong; run doctor again") }
    }
}

extension MachineFacts {
    /// The sensor that measures the lid angle.
    fileprivate var hinge: SensorDescription? { daemon.ambient.sensors.first { $0.kind == .hinge && $0.isChosen } }
}
