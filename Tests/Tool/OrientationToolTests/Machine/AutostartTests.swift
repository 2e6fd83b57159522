// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import OrientationTool

/// What starts the session agent at each login.
@Suite struct AutostartTests {
    private func autostart(
        _ environment: [String: String], hasTarget: Bool = false, files: [String] = []
    ) -> Autostart {
        Autostart({ environment[$0] }, hasTarget: hasTarget, exists: { files.contains($0) })
    }

    @Test(arguments: [
        (["SWAYSOCK": "/run/user/1000/sway-ipc.sock"], "add 'exec orientation-autorotate' to ~/.config/sway/config"),
        (["XDG_CURRENT_DESKTOP": "sway"], "add 'exec orientation-autorotate' to ~/.config/sway/config"),
        (["LABWC_PID": "7"], "add 'orientation-autorotate &' to ~/.config/labwc/autostart"),
        (["XDG_CURRENT_DESKTOP": "labwc:wlroots"], "add 'orientation-autorotate &' to ~/.config/labwc/autostart"),
        (
            ["NIRI_SOCKET": "/run/user/1000/niri.sock"],
            #"add 'spawn-at-startup "orientation-autorotate"' to ~/.config/niri/config.kdl"#
        ),
        (
            ["HYPRLAND_INSTANCE_SIGNATURE": "1"],
            "add 'exec-once = orientation-autorotate' to ~/.config/hypr/hyprland.conf"
        ),
        (["XDG_CURRENT_DESKTOP": "river"], "add 'orientation-autorotate &' to ~/.config/river/init"),
        (["XDG_CURRENT_DESKTOP": "wayfire"], "let the compositor start orientation-autorotate"),
        ([:], "let the compositor start orientation-autorotate"),
    ])
    func `without the target the compositor starts the agent`(variables: [String: String], atLogin: String) {
        let environment = variables.merging(["WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":0"]) { $1 }
        let found = autostart(environment)
        let text = atLogin + (atLogin.hasPrefix("add") ? "; if it is missing, copy the system's file there first" : "")
        #expect(found.atLogin == text)
        #expect(found.start.instruction == "for each login: \(text)")
        #expect(found.start.fix.command == "setsid -f orientation-autorotate")
        #expect(autostart(environment, hasTarget: true) == .unit)
    }

    @Test func `where graphical-session.target is active, the user service starts the agent, now and at each login`() {
        #expect(autostart(["DISPLAY": ":0"], hasTarget: true) == .unit)
        #expect(Autostart.unit.start.fix.command == "systemctl --user enable --now orientation-autorotate")
        #expect(Autostart.unit.atLogin == nil)
    }

    @Test func `Hyprland reads the Lua file if it exists`() {
        let environment = ["XDG_CURRENT_DESKTOP": "Hyprland", "WAYLAND_DISPLAY": "wayland-1"]
        #expect(
            autostart(environment, files: ["~/.config/hypr/hyprland.lua"]).atLogin
                == #"add 'hl.on("hyprland.start", function () hl.exec_cmd("orientation-autorotate") end)' "#
                + "to ~/.config/hypr/hyprland.lua; if it is missing, copy the system's file there first")
        let old = autostart(environment, files: ["~/.config/hypr/hyprland.conf"])
        #expect(old == .line("exec-once = orientation-autorotate", in: "~/.config/hypr/hyprland.conf"))
    }

    @Test func `on X11 and COSMIC one command writes a desktop file and starts the agent`() throws {
        #expect(autostart(["DISPLAY": ":0", "SWAYSOCK": "/of/an/outer/session"]) == .desktopFile)
        let cosmic = autostart(["XDG_CURRENT_DESKTOP": "COSMIC", "WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":0"])
        #expect(cosmic == .desktopFile)
        let folder = try TemporaryDirectory()
        // A function: a program that was just written cannot run while a fork of another test holds it open.
        let setsid = #"setsid() { printf '%s ' "$@" >"$HOME/started"; }"#
        let command = cosmic.start.fix.command
        let run = try RunningProgram.run(
            "/bin/sh", ["-c", "\(setsid)\n\(command)"], environment: ["HOME": folder.path])
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(
            try folder.text(of: ".config/autostart/orientation-autorotate.desktop") == """
                [Desktop Entry]
                Type=Application
                Name=Display rotation
                Exec=orientation-autorotate

                """)
        #expect(try folder.text(of: "started") == "-f orientation-autorotate ")
    }

    @Test func `man page and examples have the line of each compositor`() throws {
        let root = URL(filePath: #filePath).pathComponents.prefix { $0 != "Tests" }.dropFirst().joined(separator: "/")
        func text(_ path: String) throws -> String { try String(contentsOfFile: "/\(root)/\(path)", encoding: .utf8) }
        let page = try text("man/orientation-autorotate.1").replacing("\\-", with: "-")
        let folder = "Examples/autorotate/"
        let examples = try FileManager.default.contentsOfDirectory(atPath: "/\(root)/\(folder)").map {
            try text(folder + $0).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        for row in Autostart.rows {
            guard case .line(let line, let file) = row.autostart else { continue }
            #expect(page.contains(line) && page.contains(file.dropFirst("~/.config/".count)), "\(line)")
            #expect(examples.contains { $0.contains(line) }, "\(line)")
        }
    }
}
