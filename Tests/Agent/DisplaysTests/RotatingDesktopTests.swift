// SPDX-License-Identifier: Apache-2.0

import Foundation
import Systemd
import SystemdTestSupport
import TestSupport
import Testing

@testable import Displays

/// Desktops that rotate the display themselves, by their marks.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RotatingDesktopTests {
    /// Opens the session of an environment; returns the desktop that refuses it.
    private func desktop(_ kind: DisplayServerKind, _ environment: [String: String]) throws -> String? {
        var error: DisplayServerError?
        // The bus may not reply within 2 s.
        _ = eventually(despite: 2) {
            do {
                _ = try DisplayBench(kind, environment: environment)
            } catch let refusal as DisplayServerError where refusal.desktop != nil {
                error = refusal
            } catch {}
            return error != nil
        }
        #expect(error?.isPermanent == true)
        #expect(error?.description.contains("install") == true)
        #expect(error?.description.contains("orientationd-sensorproxy") == true)
        return error?.desktop
    }

    @Test func `KWin is refused by its output management, without a change`() throws {
        let compositor = try FakeCompositor([.init(name: "eDP-1")], also: "kde_output_management_v2")
        #expect(try desktop(.wlr, compositor.environment) == "KDE Plasma (KWin)")
        #expect(compositor.bound.isEmpty)
    }

    @Test(
        arguments: [
            ("org.gnome.Mutter.DisplayConfig", "GNOME", "GNOME (mutter)"),
            ("org.gnome.Mutter.DisplayConfig", "Budgie:GNOME", "Budgie (mutter)"),
            ("org.cinnamon.Muffin.DisplayConfig", "X-Cinnamon", "Cinnamon (muffin)"),
        ], ["WAYLAND_DISPLAY", "DISPLAY"])
    func `mutter and its forks are refused on Wayland and X11 while they own their name`(
        _ owned: (name: String, session: String, desktop: String), _ variable: String
    ) throws {
        let bus = try PrivateBus()
        let environment = [
            variable: "0", "XDG_CURRENT_DESKTOP": owned.session, "DBUS_SESSION_BUS_ADDRESS": bus.address,
        ]
        #expect(
            eventually(despite: 2) {
                guard let opened = try? DisplayBench(.mutter, environment: environment) else { return false }
                return opened.server == nil
            })
        let bench = try LoopBench()
        var isOwned = false
        let connection = try BusConnection(on: bench.loop, address: bus.address, lost: {})
        let name = try BusName(owned.name, on: connection) { isOwned = $0 == .owned }
        try bench.run { isOwned }
        #expect(try desktop(.mutter, environment) == owned.desktop)
        withExtendedLifetime(name) {}
    }

    @Test func `a bus that does not name the owner is an error, since one of them may run`() throws {
        let bus = try PrivateBus(calls: "NameHasOwner")
        let environment = ["DISPLAY": ":0", "DBUS_SESSION_BUS_ADDRESS": bus.address]
        let error = #expect(throws: DisplayServerError.self) { try DisplayBench(.mutter, environment: environment) }
        #expect(error?.isPermanent == false && error?.description.hasPrefix("session bus: ") == true)
    }

    @Test func `a session without a bus or without a display is not refused`() throws {
        let bus = try PrivateBus()
        bus.stop()
        #expect(
            try DisplayBench(.mutter, environment: ["DISPLAY": ":0", "DBUS_SESSION_BUS_ADDRESS": bus.address]).server
                == nil)
        #expect(try DisplayBench(.mutter, environment: [:]).server == nil)
    }
}
