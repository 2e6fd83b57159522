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
        if hasTarget {
            self = .unit
        } else if environment("DISPLAY") != nil, environment("WAYLAND_DISPLAY") == nil {
            self = .desktopFile
        } else {
            let desktop = Self.compositor(desktops: environment("XDG_CURRENT_DESKTOP") ?? "", environment)
            let all = Self.rows.filter { $0.desktop == desktop }.map(\.autostart)
            self = all.first { $0.file.map(exists) ?? false } ?? all.last ?? .unknown
        }
    }

    /// Returns the compositor of the table in whose session the environment is; nil for another one.
    static func compositor(desktops: String, _ environment: (String) -> String?) -> String? {
        let names = desktops.split(separator: ":").map { $0.lowercased() }
        let row =
            rows.first { $0.variable.map { environment($0) != nil } ?? false }
            ?? rows.first { names.contains($0.desktop.lowercased()) }
        return row?.desktop
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
    private static let agent = "orientation-autorotate"

    /// Starts the agent.
    var now: Fix {
        Fix(.startAgent, self == .unit ? "systemctl --user enable --now \(Self.agent)" : "setsid -f \(Self.agent)")
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
                + "Exec=\(Self.agent)\\n' >~/.config/autostart/\(Self.agent).desktop"
        case .unknown: "let the compositor start \(Self.agent)"
        }
    }

    /// Starts the agent, now and at each login: an instruction and a command.
    var start: (instruction: String?, fix: Fix) {
        guard let atLogin else { return (nil, now) }
        return self == .desktopFile
            ? (nil, Fix(.startAgent, "\(atLogin) && \(now.command)")) : ("for each login: \(atLogin)", now)
    }

    /// How to change the options of the agent.
    var edit: String {
        if self == .unit { return "change its options in a drop-in of the user unit \(Self.agent).service" }
        return file.map { "change the options of \(Self.agent) in \($0)" } ?? "start \(Self.agent) with other options"
    }

    /// Lets the agent rotate an output, now and at each login: an instruction and a command. `process` is the running agent.
    func rotate(_ output: String, replacing process: Int?) -> (instruction: String, fix: Fix?) {
        let options = "--output \(output)"
        // A session has one agent: wait until the former one has exited.
        let end = process.map { "kill \($0) && sleep 1 && " } ?? ""
        let now = Fix(.setOutput, "\(end)setsid -f \(Self.agent) \(options)")
        return ("for each login: add '\(options)': \(edit)", self == .unit ? nil : now)
    }
}
