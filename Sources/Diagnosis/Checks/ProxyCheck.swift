// SPDX-License-Identifier: Apache-2.0

extension Check {
    /// Whether another program for the same purpose runs beside the daemon.
    static let proxy = Check("proxy") { facts in
        let process = facts.processes.named("iio-sensor-proxy").first
        guard facts.service.isProxyRunning || process != nil else { return [.ok("iio-sensor-proxy does not run")] }
        return [
            .note(
                "\(process?.title ?? "iio-sensor-proxy") runs",
                "Desktops turn by what it says, not by what the daemon says, and no buffer can be shared with it: the daemon asks for single readings",
                mend: "sudo systemctl mask --now iio-sensor-proxy.service")
        ]
    }
}
