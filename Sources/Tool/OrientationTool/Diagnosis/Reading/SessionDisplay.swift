// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationWire
import Posix
import Varlink

/// Reads what rotates the display of this session.
enum SessionDisplay {
    static let program = "orientation-autorotate"

    static func facts() -> DisplayFacts {
        // sudo passes on some variables of the session, without which its agent is not found.
        if geteuid() == 0, Environment["SUDO_USER"] != nil { return .notChecked }
        guard ["WAYLAND_DISPLAY", "DISPLAY"].contains(where: { Environment[$0] != nil }) else {
            return geteuid() == 0 ? .notChecked : .noSession
        }
        if let fault = Environment.runtimeDirectoryFault { return .failed("\(fault); \(needsSession)") }
        let text: String
        do {
            text = try SystemCommand.output(of: [program, "--list", "--json", "--log-level", "error"])
        } catch {
            let isMissing = (error as? LaunchError)?.isNotFound ?? false
            return isMissing
                ? withoutProgram(desktops: desktops, environment: { Environment[$0] }) : .failed("\(error)")
        }
        do {
            return .listed(try DisplayFacts.Session(JSONValue(parsing: Array(text.utf8))))
        } catch {
            return .failed("invalid reply of \(program): \(error)")
        }
    }

    /// What to do where the runtime directory of the session is not known.
    static let needsSession =
        "run this in the graphical session, or set XDG_RUNTIME_DIR to a directory of this user, such as /run/user/\(getuid())"

    /// What is known without orientation-autorotate, by the value of XDG_CURRENT_DESKTOP and the variables of compositors.
    static func withoutProgram(desktops: String, environment: (String) -> String? = { _ in nil }) -> DisplayFacts {
        if let desktop = rotatingDesktop(in: desktops) { return .listed(.init(server: desktop, desktop: desktop)) }
        let known = Autostart.compositor(desktops: desktops, environment)
        return .notInstalled(desktop: known ?? (desktops.isEmpty ? nil : desktops), isNeeded: known != nil)
    }

    /// The desktop of this session, if it rotates the display itself.
    static var rotatingDesktop: String? { rotatingDesktop(in: desktops) }

    /// What a desktop that rotates the display itself does while the daemon's rotation lock is on.
    static func lockNote(_ desktop: String) -> String {
        "\(desktop) has a rotation lock of its own: this one does not change what it shows"
    }

    /// What to do for a hold on a desktop that rotates the display itself.
    static func holdAdvice(_ desktop: String) -> String {
        "\(desktop) rotates the display itself; \(Fix.serveDesktops)"
    }

    private static var desktops: String { Environment["XDG_CURRENT_DESKTOP"] ?? "" }

    private static func rotatingDesktop(in desktops: String) -> String? {
        let names = desktops.split(separator: ":")
        // GNOME is the second name of others.
        return ["Phosh", "Budgie", "X-Cinnamon", "KDE", "GNOME"].first { names.contains(Substring($0)) }
    }
}

extension DisplayFacts.Session {
    /// Reads the object that `orientation-autorotate --list --json` prints.
    fileprivate init(_ json: JSONValue) throws {
        let object = try JSONObject(json: json)
        let outputs: [JSONObject] = try object.value("outputs")
        let explanation: JSONObject? = try object.optionalValue("explanation")
        let name: String? = try object.optionalValue("output")
        let chosen = try outputs.first { try $0.value("name") == name }
        let rotator: String? = try object.optionalValue("rotatedBy")
        self.init(
            server: try object.optionalValue("server") ?? "the display server",
            desktop: rotator == SessionDisplay.program ? nil : rotator, agent: try object.optionalValue("agent"),
            agentOptions: try object.optionalValue("agentOptions") ?? [],
            agentRotates: try object.optionalValue("agentRotates") ?? true,
            outputs: try outputs.map { try $0.value("name") }, output: name,
            reason: try object.optionalValue("reason"),
            isMirrored: try chosen?.optionalValue("transform", as: String.self)?.hasPrefix("flipped") ?? false,
            failure: try explanation?.optionalValue("failure"), obstacle: try object.optionalValue("obstacle"),
            obstacleKind: explanation.flatMap { ObstacleKind(in: $0) },
            rotation: try explanation?.optionalValue("rotation"), sentence: try explanation?.optionalValue("sentence"))
    }
}
