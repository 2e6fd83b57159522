// SPDX-License-Identifier: Apache-2.0

import OrientationWire

extension Check {
    /// Checks which program reads each buffer: only one can.
    static let buffer = Check("buffer") { facts in
        facts.accelerometers.filter { $0.files["buffer/enable"] != nil }.map { device in
            let holders = facts.processes.holders(of: device.id)
            if holders.contains(where: { $0.program == "orientationd" }) {
                return .ok("the daemon captures from \(device.title)")
            }
            guard device.isCaptured else {
                return holders.isEmpty
                    ? .ok("no program captures from \(device.title)")
                    : .note(
                        "\(names(holders)) has /dev/\(device.id) open and does not capture",
                        "If it starts to capture, the daemon has to poll the sensor")
            }
            return captured(device, by: holders, facts)
        }
    }

    private static func captured(
        _ device: DeviceFacts, by holders: [ProcessFacts.Process], _ facts: MachineFacts
    ) -> Finding {
        guard let holder = holders.first else {
            guard facts.processes.isComplete else {
                return .note(
                    "the buffer of \(device.title) is enabled; only root can see by which program",
                    "If it is not the daemon, the daemon has to poll", fix: .examineAsRoot)
            }
            return facts.serious(
                "the buffer of \(device.title) is enabled, and no program has it open",
                "A killed program left it enabled. The daemon disables only buffers that it enabled",
                fix: Fix(.disableBuffer, "echo 0 | sudo tee \(device.folder)/buffer/enable"))
        }
        let summary = "\(names(holders)) captures from \(device.title)"
        if device.readings.isBusy {
            return facts.serious(
                summary, "The chip cannot be polled meanwhile: the daemon has no readings until that program ends",
                fix: .end(holder))
        }
        return .note(
            summary,
            "Only one program can capture at a time; until it ends, the daemon polls, which uses more power",
            fix: .end(holder))
    }

    private static func names(_ holders: [ProcessFacts.Process]) -> String {
        holders.map(\.title).joined(separator: " and ")
    }

    /// Checks which service desktops use: iio-sensor-proxy, the daemon instead, or none.
    static let proxy = single("proxy") { facts in
        let process = facts.processes.running("iio-sensor-proxy").first
        let servesDesktops = facts.daemonArguments.contains("--dbus")
        if !servesDesktops, facts.service.isSensorProxyInstalled {
            return .problem(
                "the package orientationd-sensorproxy is installed, and the daemon runs without --dbus",
                "A drop-in of orientationd.service replaces ExecStart: add --dbus there. Desktops have no sensor. "
                    + facts.placeOfOptions)
        }
        guard facts.service.isProxyRunning || process != nil else {
            if let outage = facts.daemon.ambient.outage {
                return .problem("the daemon runs with --dbus and serves no desktop", "Its reason: \(outage)")
            }
            return servesDesktops
                ? .ok("the daemon serves desktops over D-Bus, instead of iio-sensor-proxy")
                : .ok("iio-sensor-proxy is not running", "To serve a desktop that needs it, \(Fix.serveDesktops)")
        }
        let summary = "\(process?.title ?? "iio-sensor-proxy") runs"
        return servesDesktops
            ? .problem(
                "\(summary), and the daemon is configured to replace it",
                "Only one of them can own the bus name that desktops use. To replace it, \(Fix.serveDesktops)",
                fix: Fix(.maskProxy, "sudo systemctl mask --now iio-sensor-proxy.service"))
            : .note(
                summary,
                "Desktops use its orientation, not the daemon's, and the daemon polls because a buffer cannot be shared. To replace it, \(Fix.serveDesktops)"
            )
    }
}
