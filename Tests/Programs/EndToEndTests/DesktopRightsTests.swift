// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

extension SensorProxyTests {
    /// Claims of users other than root over D-Bus. Needs root to change the user.
    @Suite(.enabled(if: geteuid() == 0, "only root can call as another user"))
    struct DesktopRightsTests {
        /// Connects `count` times as a user, claims each time, and returns each result with its count.
        private func claim(_ bus: PrivateBus, _ count: Int, user: Int) throws -> [String] {
            let script = """
                import collections, os, sys
                os.setgroups([])
                os.setuid(int(sys.argv[2]))
                from gi.repository import Gio, GLib
                flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
                name, path = "net.hadess.SensorProxy", "/net/hadess/SensorProxy"
                buses, results = [], collections.Counter()
                for _ in range(int(sys.argv[1])):
                    bus = Gio.DBusConnection.new_for_address_sync(os.environ["DBUS_SYSTEM_BUS_ADDRESS"], flags, None, None)
                    buses.append(bus)
                    try:
                        bus.call_sync(name, path, name, "ClaimAccelerometer", None, None,
                                      Gio.DBusCallFlags.NO_AUTO_START, 60_000, None)
                        results["done"] += 1
                    except GLib.Error as error:
                        results[Gio.DBusError.get_remote_error(error)] += 1
                for result, number in sorted(results.items()):
                    print(result, number)
                """
            let run = try RunningProgram.run(
                "/usr/bin/python3", ["-c", script, String(count), String(user)], environment: bus.environment)
            return run.output.isEmpty ? [run.errors] : run.output
        }

        @Test func `without polkit, a user without an active session cannot claim, and root can`() throws {
            let bus = try PrivateBus()
            bus.allowOtherUsers()
            let daemon = try bus.daemon(["--sensor", "fake:"])
            _ = try bus.desktop()
            #expect(try claim(bus, 1, user: 65534) == ["org.freedesktop.DBus.Error.AccessDenied 1"])
            #expect(try claim(bus, 1, user: 0) == ["done 1"])
            withExtendedLifetime(daemon) {}
        }
    }
}
