// SPDX-License-Identifier: Apache-2.0

extension MachineFacts {
    /// The sections of a report that facts alone fill.
    package var sections: [ReportText.Section] {
        [kernelSection] + accelerometers.map(\.section) + [processSection, serviceSection]
    }

    private var kernelSection: ReportText.Section {
        ReportText.Section(
            "Kernel and udev",
            [
                "release: \(kernel.release)", "bus iio: \(kernel.hasBus)", "modules installed: \(kernel.hasModules)",
                "industrialio offered: \(kernel.offersBus)", "udev running: \(udev.isRunning)",
                "rule: \(udev.rule ?? "none")\(udev.isRuleMasked ? " (masked)" : "")",
                "daemon's user: \(daemonAccount.map { $0.user == 0 ? "root" : "not root" } ?? "none")",
                "caller: \(caller.user == 0 ? "root" : "not root")",
            ] + driverless.map { "without a driver: \($0.name) (\($0.bus)), for \($0.modules.joined(separator: ", "))" }
                + tabletSwitches.map { "tablet switch: \($0.node) (\($0.name))\($0.hasKeys ? ", with keys" : "")" })
    }

    private var processSection: ReportText.Section {
        ReportText.Section(
            "Processes",
            processes.processes.map { process in
                "\(process.name): open \(process.nodes.isEmpty ? "nothing" : process.nodes.sorted().joined(separator: ", "))"
                    + (process.arguments.isEmpty ? "" : ", started as \(process.arguments.joined(separator: " "))")
            } + (processes.isComplete ? [] : ["(not all processes could be looked at)"]))
    }

    private var serviceSection: ReportText.Section {
        ReportText.Section(
            "Units",
            service.failure.map { [$0] }
                ?? service.units.map { unit in
                    ServiceFacts.Unit.Property.allCases.map { "\($0.rawValue)=\(unit[$0])" }.joined(separator: " ")
                })
    }
}

extension DeviceFacts {
    /// udev's properties that have to do with orientation; others may tell of the machine what is nobody's affair.
    private static let properties = [
        "ACCEL_LOCATION", "ACCEL_MOUNT_MATRIX", "DEVTYPE", "DRIVER", "IIO_SENSOR_PROXY_TYPE", "MODALIAS", "OF_NAME",
        "ORIENTATIOND_BUFFER", "ORIENTATIOND_CLASSIFIER", "ORIENTATIOND_FACE_SIGN", "SUBSYSTEM", "SYSTEMD_WANTS",
    ]

    fileprivate var section: ReportText.Section {
        var lines = [
            "driver: \(driver ?? "unknown"), module \(module ?? "unknown")", "node: \(node?.description ?? "none")",
        ]
        lines += attributes.sorted { $0.key < $1.key }.map { name, attribute in
            let value = attribute.text ?? attribute.failure.map { "unreadable: \($0)" } ?? "see below"
            return "\(name) (\(attribute.access.description)): \(value)"
        }
        lines += Self.properties.compactMap { name in udev.properties[name].map { "udev \(name)=\($0)" } }
        lines.append("udev tags: \(udev.tags.sorted().joined(separator: " ")); processed: \(udev.isProcessed)")
        lines += readings.vectors.map { "read: \($0.map(\.brief).joined(separator: ", "))" }
        lines.append("longest reading: \(readings.longest.brief) s\(readings.failure.map { "; failed: \($0)" } ?? "")")
        return ReportText.Section("Accelerometer \(id)", lines)
    }
}
