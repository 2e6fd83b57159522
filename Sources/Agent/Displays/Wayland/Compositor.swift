// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc
internal import Posix

/// The program behind a Wayland socket.
struct Compositor: Hashable {
    /// The name for messages, such as `sway`.
    let name: String
    /// The process that listens on the socket; nil if unknown.
    var process: Int32?

    init(name: String, process: Int32? = nil) {
        self.name = name
        self.process = process
    }

    /// Names the compositor at the other end of a socket: by the process that listens, else by the variables that
    /// compositors set for their programs.
    init(ofSocket descriptor: Int32, environment: [String: String]) {
        var process: pid_t = 0
        var (user, group): (uid_t, gid_t) = (0, 0)
        let isKnown = cposix_peer_credentials(descriptor, &process, &user, &group) == 0 && process > 0
        let comm = isKnown ? SmallFile.read("/proc/\(process)/comm", atMost: 64) : nil
        self.init(comm: comm, environment: environment)
        self.process = isKnown ? process : nil
    }

    /// Names a compositor by the name of its process, as the kernel truncates it to 15 bytes, and the environment.
    init(comm: String?, environment: [String: String]) {
        // NixOS wraps programs: `.sway-wrapped`.
        var program = Substring(comm ?? "").prefix { $0 != "\n" }
        if program.hasPrefix("."), let dash = program.lastIndex(of: "-"), program[dash...].hasPrefix("-wra") {
            program = program[..<dash].dropFirst()
        }
        let known = Self.known.first { program.hasPrefix($0.0) }?.1
        let byVariable = Self.variables.first { environment[$0.variable] != nil }?.name
        // Another process, such as a service manager, can listen for the compositor.
        name = known ?? byVariable ?? (program.isEmpty ? "the compositor" : String(program))
    }

    /// The beginnings of process names, and the names for messages.
    private static let known =
        ["sway", "labwc", "phoc", "niri", "Hyprland", "river", "wayfire", "mutter", "weston"].map { ($0, $0) }
        + [("cosmic-comp", "COSMIC"), ("kwin_wayland", "KWin"), ("gnome-shell", "GNOME (mutter)")]

    private static let variables = [
        (variable: "SWAYSOCK", name: "sway"), (variable: "NIRI_SOCKET", name: "niri"),
        (variable: "HYPRLAND_INSTANCE_SIGNATURE", name: "Hyprland"), (variable: "LABWC_PID", name: "labwc"),
        (variable: "WAYFIRE_SOCKET", name: "wayfire"),
    ]
}

extension Compositor {
    /// The desktop that rotates the display of a wlroots session by itself; nil if there is none. phoc is only the
    /// compositor: phosh rotates, and its session says so in XDG_CURRENT_DESKTOP.
    func rotator(environment: [String: String]) -> String? {
        name == "phoc" && DisplaySession.desktops(environment).contains("phosh") ? "phosh" : nil
    }
}

extension Compositor {
    /// What to configure to make touch screens and pens follow an output; nil where they do: sway, through ``SwayInput``,
    /// niri and COSMIC.
    func inputAdvice(_ output: String) -> String? {
        guard ["labwc", "Hyprland", "river", "wayfire"].contains(name) else { return nil }
        return "\(name): touch screens and pens do not follow \(output) by themselves: map them to it in the "
            + "configuration of \(name); see TOUCH in orientation-autorotate(1)"
    }
}
