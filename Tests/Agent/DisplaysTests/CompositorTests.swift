// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Displays

@Suite struct CompositorTests {
    @Test(arguments: [
        ("sway\n", "sway"), ("Hyprland\n", "Hyprland"), ("cosmic-comp\n", "COSMIC"), (".sway-wrapped\n", "sway"),
        (".Hyprland-wrap\n", "Hyprland"), ("kwin_wayland_wr\n", "KWin"), ("dwl\n", "dwl"),
    ])
    func `the name comes from the process`(_ comm: String, _ name: String) {
        #expect(Compositor(comm: comm, environment: [:]).name == name)
    }

    @Test func `the name comes from a variable of the compositor if another process listens`() {
        #expect(Compositor(comm: "systemd\n", environment: ["NIRI_SOCKET": "/run/niri"]).name == "niri")
        #expect(Compositor(comm: nil, environment: [:]).name == "the compositor")
    }

    @Test func `phoc rotates in a session of phosh only`() {
        let phoc = Compositor(name: "phoc")
        #expect(phoc.rotator(environment: ["XDG_CURRENT_DESKTOP": "Phosh:GNOME"]) == "phosh")
        #expect(phoc.rotator(environment: [:]) == nil)
        #expect(Compositor(name: "sway").rotator(environment: ["XDG_CURRENT_DESKTOP": "Phosh:GNOME"]) == nil)
    }
}
