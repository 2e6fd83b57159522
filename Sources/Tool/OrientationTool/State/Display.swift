// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrientationClient
import OrientationModel
import OrientationRules
import OrientationWire
import Posix
import Varlink

/// `orientationctl display`: prints the outputs of the session, and what rotates them.
struct Display: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the outputs of this session and what rotates them",
        discussion: """
            Needs the package orientation-autorotate; without it only the holds on the desktop are printed.

            Examples:
              orientationctl display
              orientationctl display --json
            """)

    @Flag(help: "Print the outputs as one JSON object") var json = false

    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    func run() throws {
        do {
            // The list includes the display server, which only that program can query.
            let options = (json ? ["--json"] : []) + (socketPath.map { ["--socket", $0] } ?? [])
            let end = try LaunchedProgram([SessionDisplay.program, "--list"] + options).wait()
            if !end.isSuccess { throw ExitCode(EXIT_FAILURE) }
        } catch let error as LaunchError where error.isNotFound {
            let desktop = SessionDisplay.rotatingDesktop
            do {
                let reply = try calls.call(DisplayInterface.explain)
                let holds = DesktopHolds(desktop: desktop, reply)
                try json
                    ? TextOutput.print(json: JSONValue.object(holds.json).description) : TextOutput.print(holds.text)
            } catch let failure as OrientationServiceError {
                guard let desktop else { throw Failure("\(error); \(Fix.installAgent)") }
                throw Failure("\(failure); \(SessionDisplay.holdAdvice(desktop))")
            }
        }
    }
}

/// What is printed without orientation-autorotate: the daemon's reply to `Explain`.
struct DesktopHolds {
    /// The desktop that rotates the display itself; nil if that is not known.
    private let desktop: String?
    private let reply: JSONObject

    init(desktop: String?, _ reply: JSONObject) {
        self.desktop = desktop
        self.reply = reply
    }

    /// The same keys as those of `orientation-autorotate --list --json`.
    var json: JSONObject {
        [
            "server": .null, "rotatedBy": desktop.map { .string($0) } ?? .null, "agent": .null, "output": .null,
            "outputs": [], "explanation": .object(reply),
        ]
    }

    var text: String {
        // Members of another type, as of another version of the daemon, are left out, here and below.
        let holds = (try? reply.optionalValue("answers", as: [JSONObject].self)) ?? []
        let rows: [(String, String?)] =
            [
                ("turned by", desktop.map { "\($0) itself" } ?? "unknown: orientation-autorotate is not installed"),
                (
                    "orientation",
                    text("orientation").flatMap { InterfaceOrientation($0)?.edge }.map {
                        OrientationList(edges: [$0]).description
                    }
                ),
                ("rotation", (try? reply.optionalValue("rotation", as: Int.self)).map { "\($0)°" }),
            ]
            + holds.map { hold in
                let value = { (key: String) in (try? hold.optionalValue(key, as: String.self)) ?? "" }
                return ("held by", "\(value("source")): \(value("answer"))")
            }
        return rows.table + "\n" + (text("sentence") ?? "").replacingControls()
    }

    /// Returns a text of the reply. A member of another type, here and above, is not shown.
    private func text(_ key: String) -> String? { try? reply.optionalValue(key, as: String.self) }
}
