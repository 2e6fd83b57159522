// SPDX-License-Identifier: Apache-2.0

import Posix

/// What starts orientation-autorotate at each login of this session.
enum Autostart: Hashable {
    /// The user service, where `graphical-session.target` is active.
    case unit
    /// A line of a file that the compositor reads when it starts.
    case line(String, in: String)
    /// A desktop file in `~/.config/autostart`: XDG autostart.
    case desktopFile
    /// The compositor is not in the table.
    case unknown

    /// The compositors: the name in `XDG_CURRENT_DESKTOP`, and the variable that the compositor sets for its programs. Of
    /// two rows with one name, the last one applies unless the file of the other exists.
    static let rows: [(desktop: String, variable: String?, autostart: Autostart)] = [
        ("sway", "SWAYSOCK", .line("exec orientation-autorotate", in: "~/.config/sway/config")),
        ("labwc", "LABWC_PID", .line("orientation-autorotate &", in: "~/.config/labwc/autostart")),
        ("niri", "NIRI_SOCKET", .line("spawn-at-startup \"orientation-autorotate\"", in: "~/.config/niri/config.kdl")),
        // From 0.55 on.
        (
            "Hyprland", "HYPRLAND_INSTANCE_SIGNATURE",
            .line(
                #"hl.on("hyprland.start", function () hl.exec_cmd("orientation-autorotate") end)"#,
                in: "~/.config/hypr/hyprland.lua")
        ),
        ("Hyprland", nil, .line("exec-once = orientation-autorotate", in: "~/.config/hypr/hyprland.conf")),
        ("river", nil, .line("orientation-autorotate &", in: "~/.config/river/init")),
        ("COSMIC", nil, .desktopFile),
    ]

    /// Finds what starts the agent in the session of the environment; `exists` looks for a file.
    init(_ environment: (String) -> String?, hasTarget: Bool, exists: (String) -> Bool) {
        func isSet(_ name: String) -> Bool { environment(name) != nil }
        if hasTarget {
            self = .unit
        } else if isSet("DISPLAY"), !isSet("WAYLAND_DISPLAY") {
            self = .desktopFile
        } else {
            let desktops = (environment("XDG_CURRENT_DESKTOP") ?? "").split(separator: ":").map { $0.lowercased() }
            let row =
                Self.rows.first { $0.variable.map(isSet) ?? false }
                ?? Self.rows.first { desktops.contains($0.desktop.lowercased()) }
            let all = Self.rows.filter { $0.desktop == row?.desktop }.map(\.autostart)
            self = all.first { $0.file.map(exists) ?? false } ?? all.last ?? .unknown
        }
    }

    /// What starts the agent in the session of this process.
    static var current: Autostart {
        // Fails without systemd, and if the target is not active.
        let target = try? SystemCommand.output(of: ["systemctl", "--user", "is-active", "graphical-session.target"])
        if target != nil { return .unit }
        let home = SystemRoot(prefix: Environment["HOME"] ?? "")
        return Autostart({ Environment[$0] }, hasTarget: false, exists: { home.exists(String($0.dropFirst())) })
    }

    private var file: String? { if case .line(_, let file) = self { file } else { nil } }
}

extension Autostart {
    /// Starts the agent; a session of its own lets it survive the terminal.
    var now: String {
        self == .unit ? "systemctl --user enable --now orientation-autorotate" : "setsid -f orientation-autorotate"
    }

    /// What starts the agent at each login, in addition to ``now``: a command, or what goes into which file.
    var atLogin: String? {
        switch self {
        case .unit: nil
        // A file of the user replaces the system's, with its key bindings.
        case .line(let line, let file): "add '\(line)' to \(file); if it is missing, copy the system's file there first"
        // Without NotShowIn: the agent exits where the desktop rotates the display itself.
        case .desktopFile:
            "mkdir -p ~/.config/autostart && printf '[Desktop Entry]\\nType=Application\\nName=Display rotation\\n"
                + "Exec=orientation-autorotate\\n' >~/.config/autostart/orientation-autorotate.desktop"
        case .unknown: "let the compositor start orientation-autorotate"
        }
    }

    /// What a finding suggests: an instruction for the user, and a command.
    typealias Remedy = (instruction: String?, command: String?)

    /// Starts the agent, now and at each login.
    var start: Remedy {
        guard let atLogin else { return (nil, now) }
        return self == .desktopFile ? (nil, "\(atLogin) && \(now)") : ("for each login: \(atLogin)", now)
    }

    /// Changes the options of the agent.
    var edit: Remedy {
        if self == .unit { return (nil, "systemctl --user edit orientation-autorotate") }
        let instruction = file.map { "change the options of orientation-autorotate in \($0)" }
        return (instruction ?? "start orientation-autorotate with other options", nil)
    }
}
