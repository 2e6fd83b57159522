// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

extension SensorProxyTests {
    /// A bus that is absent, ends, refuses the name or does not reply; and polkit. Varlink clients are served
    /// meanwhile.
    @Suite struct DesktopBusTests {
        /// Turns the simulated device and expects the change at a Varlink subscriber.
        private func expectVarlink(_ daemon: RunningDaemon, _ pose: String = "landscapeLeft") throws {
            let watch = try daemon.tool("watch", "--json")
            try daemon.simulate(pose)
            _ = try watch.states(until: pose)
        }

        @Test func `a bus that does not reply delays no Varlink client`() throws {
            let bus = try PrivateBus()
            let daemon = try bus.daemon(["--sensor", "fake:"])
            let claimant = try bus.desktop()
            try claimant.claim()
            bus.freeze(true)
            for pose in ["landscapeLeft", "portrait", "landscapeRight"] { try expectVarlink(daemon, pose) }
            bus.freeze(false)
            try claimant.signal("AccelerometerOrientation", "left-up")
            bus.freeze(true)
            #expect(daemon.end().isEmpty == false)
            bus.freeze(false)
        }

        @Test func `the bus refuses calls that pass file descriptors to the daemon`() throws {
            let bus = try PrivateBus()
            let daemon = try bus.daemon(["--sensor", "fake:"])
            _ = try bus.desktop()
            let script = """
                import os
                from gi.repository import Gio, GLib
                bus = Gio.DBusConnection.new_for_address_sync(
                    os.environ["DBUS_SYSTEM_BUS_ADDRESS"], Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
                    | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
                files = Gio.UnixFDList.new()
                files.append(0)
                try:
                    bus.call_with_unix_fd_list_sync(
                        "net.hadess.SensorProxy", "/net/hadess/SensorProxy", "net.hadess.SensorProxy",
                        "ClaimAccelerometer", GLib.Variant("(h)", (0,)), None, Gio.DBusCallFlags.NONE, 60_000, files)
                except GLib.Error as error:
                    print(Gio.DBusError.get_remote_error(error))
                """
            let caller = try bus.program("/usr/bin/python3", ["-c", script])
            #expect(try caller.line() == "org.freedesktop.DBus.Error.NotSupported")
            try expectVarlink(daemon)
        }

        @Test func `polkit checks the client and can refuse the claim`() throws {
            let bus = try PrivateBus()
            let polkit = try bus.startPolkit(replying: "deny")
            let daemon = try bus.daemon(["--sensor", "fake:"])
            let desktop = try bus.desktop()
            #expect(try desktop.claim() == [.answer("org.freedesktop.DBus.Error.AccessDenied")])
            let question = try #require(try polkit.line())
            #expect(question.hasPrefix("system-bus-name :1."))
            #expect(question.hasSuffix(" net.hadess.SensorProxy.claim-sensor 0"))
            #expect(eventually { daemon.sensorThreads.isEmpty })
            // A client without a claim may release it.
            #expect(try desktop.request("call", "ReleaseAccelerometer") == [.answer("done")])
        }

        /// What polkit replies, and what it permits: iio-sensor-proxy's action, or the daemon's own.
        @Test(arguments: [("allow", true), ("own", true), ("deny-theirs", false)])
        func `polkit permits iio-sensor-proxy's action or the daemon's own, and a refusal of the former is final`(
            answer: String, isPermitted: Bool
        ) throws {
            let bus = try PrivateBus()
            let polkit = try bus.startPolkit(replying: answer)
            let daemon = try bus.daemon(["--sensor", "fake:"])
            let desktop = try bus.desktop()
            #expect(
                try desktop.claim().last == .answer(isPermitted ? "done" : "org.freedesktop.DBus.Error.AccessDenied"))
            #expect(eventually { daemon.sensorThreads.isEmpty != isPermitted })
            withExtendedLifetime(polkit) {}
        }
    }
}
