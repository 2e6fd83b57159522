// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestSupport
import Testing
import Varlink

@testable import OrientationClientCore
@testable import OrientationTool

/// `orientationctl hold` without an agent: the program still runs.
@Suite struct HoldTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func hold(_ arguments: [String], desktop: String = "sway", hasTarget: Bool = false) throws -> Run {
        let status = hasTarget ? "[ \"$*\" = '--user is-active graphical-session.target' ]" : "false"
        try Programs.write("#!/bin/sh\n\(status)\n", to: directory.path("systemctl"))
        return try Run(
            ["hold"] + arguments,
            environment: [
                "PATH": directory.path + ":/usr/bin:/bin",
                "XDG_RUNTIME_DIR": directory.path, "XDG_CURRENT_DESKTOP": desktop,
                "XDG_DATA_HOME": directory.path("data"),
                "XDG_DATA_DIRS": directory.path("none"),
                "WAYLAND_DISPLAY": "wayland-test", "DISPLAY": "", "SWAYSOCK": "",
            ])
    }

    @Test(arguments: [("exit 0", 0), ("exit 3", 3), ("kill -SEGV $$", 139), ("kill -TERM $$", 143)])
    func `the exit status is that of the program, or 128 plus the signal`(script: String, status: Int32) throws {
        let run = try hold(["--landscape", "--quiet", "--", "sh", "-c", "echo started; \(script)"])
        #expect(run.status == status)
        #expect(run.output == "started\n" && run.error == "")
    }

    @Test func `a program that is missing or not executable has the status of a shell`() throws {
        let missing = try hold(["--portrait", "--quiet", "--", "no-such-program"])
        #expect(missing.status == 127)
        #expect(missing.error == "orientationctl: no-such-program: not found\n")
        #expect(try hold(["--portrait", "--quiet", "--", directory.path]).status == 126)
    }

    @Test func `without an agent it says so, and what to do; on GNOME and KDE that they rotate themselves`() throws {
        let run = try hold(["--orientations", "portrait,Landscape-Primary", "--", "true"])
        #expect(run.status == 0)
        let lines = run.error.split(separator: "\n")
        #expect(lines.count == 1)
        #expect(
            lines.last?.contains("orientation-autorotate: cannot hold the orientation: ") == true
                && lines.last?.contains("; start it with") == true
        )
        #expect(
            run.error.hasSuffix(
                "; start it with 'setsid -f orientation-autorotate'; for each login: add 'exec orientation-autorotate' to "
                    + "~/.config/sway/config; if it is missing, copy the system's file there first\n"))
        for desktop in ["GNOME", "ubuntu:GNOME", "KDE"] {
            let run = try hold(["--landscape", "--", "true"], desktop: desktop)
            #expect(run.error.contains("orientationd: cannot hold the orientation: "))
            #expect(
                run.error.contains("rotates the display itself; install the package orientationd-sensorproxy"))
        }
    }

    @Test(arguments: [true, false])
    func `the user service is suggested only where graphical-session.target is active`(isActive: Bool) throws {
        let run = try hold(["--landscape", "--", "true"], hasTarget: isActive)
        let service = "; start it with 'systemctl --user enable --now orientation-autorotate'\n"
        #expect(run.error.hasSuffix(service) == isActive, "\(run.error)")
        #expect(run.error.contains("~/.config/sway/config") != isActive)
    }

    @Test func `the app ID is that of the option, the launcher or the desktop file, else a guess`() throws {
        let folder = directory.path("data/applications")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try directory.write(
            "[Desktop Entry]\nExec=/usr/bin/film %U\n", to: "data/applications/org.example.Film.desktop")
        let environment = ["XDG_DATA_HOME": directory.path("data"), "XDG_DATA_DIRS": directory.path("none")]
        func app(_ target: HeldCommand.Target, id: String? = nil) -> String {
            "\(HeldApp(id: id, target, environment: environment))"
        }
        #expect(app(.program("film")) == "app org.example.Film (\(folder)/org.example.Film.desktop)")
        #expect(app(.program("film"), id: "mpv") == "app mpv (--app-id)")
        #expect(app(.app("org.example.Other", launcher: "flatpak run")) == "app org.example.Other (flatpak run)")
        #expect(app(.program("/usr/bin/other")) == "app other (a guess from the name of the program; --app-id sets it)")
    }

    @Test(arguments: [
        ("mpv film.mkv", "mpv"), ("env X=1 mpv", "mpv"), ("/usr/bin/env -i X=1 Y=a/b /usr/bin/mpv", "/usr/bin/mpv"),
        ("env -u NAME --chdir /tmp -- X=1 mpv", "mpv"), ("nohup setsid -f env X=1 mpv A=1", "mpv"), ("env", "env"),
        ("env X=1", "env"), ("X=1 mpv", "X=1"), ("nice -n 5 gamemoderun mpv", "mpv"), ("nice -5 mpv", "mpv"),
        ("systemd-run --user --scope -p CPUWeight=10 -- mpv -p x", "mpv"), ("snap run vlc", "vlc"),
        ("snap list", "snap"), ("timeout -k 5 1h mpv", "mpv"), ("timeout --signal=INT 60 env X=1 mpv", "mpv"),
        ("ionice -c 3 mpv", "mpv"), ("stdbuf -oL mpv", "mpv"), ("stdbuf --output 0 mpv", "mpv"),
        ("timeout 5", "timeout"),
        ("python3 -W ignore /usr/bin/meld -c x", "/usr/bin/meld"), ("python3 -m film", "film"),
        ("python3 -c print(1)", "python3"), ("sh film.sh -c", "film.sh"),
        ("bash --norc -c mpv", "mpv"), ("sh -m -c mpv", "mpv"), ("flatpak list", "flatpak"),
        ("flatpak run --unknown /x org.videolan.VLC", "flatpak"),
    ])
    func `the program is the one that launchers start`(command: String, program: String) {
        #expect(HeldCommand.target(of: command.split(separator: " ").map(String.init)) == .program(program))
    }

    @Test func `the program of a shell is the first command of its code`() {
        #expect(HeldCommand.target(of: ["sh", "-c", "exec env X=1 mpv film.mkv"]) == .program("mpv"))
        #expect(HeldCommand.target(of: ["bash", "-lc", "X=1 mpv; true"]) == .program("mpv"))
        #expect(HeldCommand.target(of: ["sh", "-c", ""]) == .program("sh"))
    }

    @Test(arguments: [
        ("flatpak run org.videolan.VLC film.mkv", "org.videolan.VLC", "flatpak run"),
        ("flatpak run --branch stable --command=vlc org.videolan.VLC//stable", "org.videolan.VLC", "flatpak run"),
        ("flatpak --user run org.videolan.VLC", "org.videolan.VLC", "flatpak run"),
        ("flatpak run --app-path /x org.videolan.VLC", "org.videolan.VLC", "flatpak run"),
        ("env X=1 gtk-launch org.gnome.Totem.desktop film.mkv", "org.gnome.Totem", "gtk-launch"),
    ])
    func `flatpak and gtk-launch name the app`(command: String, app: String, launcher: String) {
        #expect(HeldCommand.target(of: command.split(separator: " ").map(String.init)) == .app(app, launcher: launcher))
    }

    @Test func `options after the program are the program's, with and without '--'`() throws {
        for arguments in [["--landscape", "--quiet", "--"], ["--landscape", "--quiet"]] {
            let run = try hold(arguments + ["echo", "--portrait", "--", "--help"])
            #expect(run.status == 0)
            #expect(run.output == "--portrait -- --help\n")
        }
    }

    @Test func `the advice is that of the cause`() throws {
        let unset = try Run(["hold", "--landscape", "--", "true"], environment: ["XDG_RUNTIME_DIR": ""])
        #expect(
            unset.error.hasSuffix(
                "XDG_RUNTIME_DIR is not set; \(SessionDisplay.needsSession)\n"))
        let missing = try Run(["hold", "--landscape", "--", "true"], environment: ["XDG_RUNTIME_DIR": "/nonexist"])
        #expect(missing.error.hasSuffix("; \(SessionDisplay.needsSession)\n"))
        let failures = [true, false].map { needsPermission in
            DisplayHold.Report(
                isByAgent: true, result: .failure(.notConnected(reason: "x")), needsPermission: needsPermission)
        }
        #expect(failures.map(\.remedy) == ["run this as the user of the session", nil])
    }

    private typealias Outcome = Result<JSONObject, OrientationServiceError>

    /// What is read after a report of the agent, and then one of the daemon.
    private func lines(_ agent: Outcome, _ daemon: Outcome, desktop: String?) -> [HoldProgress.Line] {
        let app = HeldApp(id: "film", .program("film"))
        var progress = HoldProgress(
            app: app, orientations: OrientationList([.landscape]), desktop: desktop, isInSession: true)
        return [(true, agent), (false, daemon)].flatMap { isByAgent, result in
            progress.handle(.init(isByAgent: isByAgent, result: result, needsPermission: false))
        }
    }

    @Test func `without an agent the daemon holds, or a line says what is missing`() {
        func reply(_ sentence: String, applies: Bool, _ obstacle: JSONValue? = nil) -> Outcome {
            var reply: JSONObject = ["sentence": .string(sentence), "applies": .bool(applies)]
            reply["obstacle"] = obstacle.map { ["kind": $0, "reason": "R"] }
            return .success(reply)
        }
        let denied = Outcome.failure(.permissionDenied(needs: "an active session"))
        let rows: [(desktop: String?, daemon: Outcome, text: String, end: String?)] = [
            ("GNOME", reply("It turns.", applies: true), "It turns.", nil),
            ("Phosh", reply("None follows.", applies: false, "output"), "None follows.", nil),
            (nil, reply("A later hold decides.", applies: false), "A later hold decides.", nil),
            (
                nil, reply("None follows.", applies: false, "output"),
                "None follows. Where no desktop rotates the display, orientation-autorotate does: ", "."
            ),
            (
                "KDE", .failure(.notConnected(reason: "gone")),
                "orientationd: cannot hold the orientation: not connected: gone; \(SessionDisplay.holdAdvice("KDE"))",
                nil
            ),
            (
                nil, denied,
                "orientation-autorotate: cannot hold the orientation: not connected: gone, and orientationd: permission "
                    + "denied: requires an active session; ", ""
            ),
        ]
        for row in rows {
            let lines = lines(.failure(.notConnected(reason: "gone")), row.daemon, desktop: row.desktop)
            #expect(lines.last?.text == row.text && lines.last?.end == row.end, "\(lines)")
        }
    }

    @Test func `a reply of the agent says whether the hold applies, and is reported once`() throws {
        let app = HeldApp(id: "film", .program("film"))
        func lines(_ orientations: OrientationList, _ obstacle: JSONValue? = nil) -> [String] {
            var progress = HoldProgress(app: app, orientations: orientations, desktop: nil)
            var reply: JSONObject = [
                "sentence": "S.", "applies": false, "orientation": "landscapeRight", "rotation": 0,
            ]
            reply["obstacle"] = obstacle.map { ["kind": $0, "reason": "R"] }
            let report = DisplayHold.Report(isByAgent: true, result: .success(reply), needsPermission: false)
            let lines = progress.handle(report)
            let later = progress.handle(report) + progress.timedOut(after: .seconds(2))
            #expect(later.isEmpty)
            return lines.map(\.text)
        }
        let applies = "S. The hold applies while a window of the app is in front."
        #expect(lines(OrientationList([.landscape])) == ["app film (--app-id) holds landscape", applies])
        #expect(lines(OrientationList([.landscape]), "never").last == "S.")
        // UIKit's name turns the display upside down.
        let upsideDown = try OrientationList(["landscapeLeft"])
        #expect(lines(upsideDown)[1].hasPrefix("warning: landscapeLeft turns this"))
    }

    @Test func `an agent that cannot rotate later is reported once per reason`() {
        var progress = HoldProgress(
            app: HeldApp(id: "film", .program("film")), orientations: OrientationList([.landscape]), desktop: nil)
        func lines(_ sentence: String, _ obstacle: String? = nil) -> [String] {
            var reply: JSONObject = ["sentence": .string(sentence), "applies": true]
            reply["obstacle"] = obstacle.map { ["kind": .string($0), "reason": "R"] }
            return progress.handle(.init(isByAgent: true, result: .success(reply), needsPermission: false)).map(\.text)
        }
        #expect(lines("It turns.").count == 2 && lines("It turned.") == [])
        #expect(lines("A.", "failure") == ["A."] && lines("A.", "failure") == [] && lines("B.", "failure") == ["B."])
        #expect(lines("It turns.") == [] && lines("Locked.", "lock") == [] && lines("B.", "failure") == ["B."])
    }

    @Test func `a service that does not reply in time is reported once`() {
        var progress = HoldProgress(
            app: HeldApp(id: "film", .program("film")), orientations: OrientationList([.landscape]), desktop: nil)
        let lines = progress.timedOut(after: .seconds(2)) + progress.timedOut(after: .seconds(2))
        #expect(
            lines.map(\.text) == [
                "orientation-autorotate: cannot hold the orientation: timed out: no reply within 2 s; still waiting"
            ])
    }

    @Test func `SIGTERM is sent to the program, whose status is passed on`() throws {
        // A handler could run before the program waits for the signal: it is blocked instead.
        let script = """
            import signal, sys
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
            print("started")
            signal.sigwait({signal.SIGTERM})
            print("ended")
            sys.exit(7)
            """
        let program = try RunningProgram(
            Programs.tool,
            ["hold", "--landscape", "--quiet", "--", Programs.python, "-c", script],
            environment: ["XDG_RUNTIME_DIR": directory.path])
        #expect(try program.line() == "started")
        program.send(SIGTERM)
        #expect(try program.line() == "ended")
        #expect(program.wait() == 7)
    }
}
