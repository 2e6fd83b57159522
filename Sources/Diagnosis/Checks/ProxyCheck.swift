// SPDX-License-Identifier: Apache-2.0

extension Check {
    /// Whom desktops hear: iio-sensor-proxy, the daemon in its place, or nobody.
    static let proxy = Check("proxy") { facts in
        let process = facts.processes.named("iio-sensor-proxy").first
        let servesDesktops = facts.daemonArguments.contains("--dbus")
        guard facts.service.isProxyRunning || process != nil else {
            return [
                servesDesktops
                    ? .ok("the daemon serves desktops over D-Bus, in the place of iio-sensor-proxy")
                    : .ok(
                        "iio-sensor-proxy does not run",
                        "A desktop that needs it is served by the daemon after \(Mend.serveDesktops)")
            ]
        }
        let seen = "\(process?.title ?? "iio-sensor-proxy") runs"
        return servesDesktops
            ? [
                .problem(
                    "\(seen), and the daemon is to serve desktops in its place",
                    "Only one of them has the name on the bus that desktops know", mend: Mend.serveDesktops)
            ]
            : [
                .note(
                    seen,
                    "Desktops turn by what it says, not by what the daemon says, and no buffer can be shared with it: the daemon asks for single readings. The daemon can serve desktops in its place",
                    mend: Mend.serveDesktops)
            ]
    }
}
