// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The natural orientation: where it comes from, and where it shows. Serialized: each test starts programs.
@Suite(.serialized) struct NaturalOrientationTests {
    private let chip = Machine.Device.upright
    private static let wide = Machine.Display(name: "eDP-1", modes: ["1920x1080", "1280x720"])
    private static let tall = Machine.Display(name: "eDP-1", modes: ["1080x1920"])
    private static let unprobed = Machine.Display(name: "eDP-1", modes: [])
    private static let monitor = Machine.Display(name: "HDMI-A-1", modes: ["3840x2160"])

    /// Starts a daemon that knows the panel from the start: it waits only 0.5 s for it.
    private func daemon(
        _ arguments: [String] = [], device: Machine.Device? = nil, displays: [Machine.Display]
    ) throws -> RunningDaemon {
        while true {
            let daemon = try RunningDaemon(arguments, devices: [device ?? chip], displays: displays)
            if !daemon.program.errorText.contains("; starting without them") { return daemon }
        }
    }

    /// Returns the listed natural orientation and its source.
    private func listed(by daemon: RunningDaemon) throws -> String? {
        let lines = try daemon.runTool("sensors").output
        let line = lines.first { $0.hasPrefix("    natural orientation ") }
        return line.map { String($0.dropFirst("    natural orientation ".count)) }
    }

    /// The displays, the natural orientation, and its source.
    static let rows: [([Machine.Display], String, String)] = [
        ([wide], "landscapeLeft", "display card0-eDP-1, 1920x1080"),
        ([tall], "portrait", "display card0-eDP-1, 1080x1920"),
        (
            [monitor, Machine.Display(name: "DSI-1", modes: ["720x1440"], isEnabled: false)], "portrait",
            "display card0-DSI-1, 720x1440"
        ),
        ([], "portrait", "default; no display connected"),
        (
            [Machine.Display(name: "eDP-1", modes: ["preferred", "1920x1080"])], "landscapeLeft",
            "display card0-eDP-1, 1920x1080"
        ),
        // A list whose first mode exceeds the length that is read.
        (
            [Machine.Display(name: "eDP-1", modes: [String(repeating: "x", count: 54), "1920x1080"])], "portrait",
            "default; card0-eDP-1: no mode known yet"
        ),
    ]

    @Test(arguments: rows)
    func `the panel gives the natural orientation, and its sources are listed`(
        displays: [Machine.Display], natural: String, source: String
    ) throws {
        let daemon = try daemon(displays: displays)
        #expect(try listed(by: daemon) == "\(natural), from \(source)")
        let state = try daemon.state
        #expect(state.orientation == natural && state.lastEdge == natural && state.natural == natural)
        #expect(state.rotation == 0)
    }

    @Test(arguments: [
        (tall, ["portrait", "landscapeRight", "portraitUpsideDown", "landscapeLeft"]),
        (wide, ["landscapeLeft", "portrait", "landscapeRight", "portraitUpsideDown"]),
    ])
    func `each pose has its name and rotation on both shapes, and a flat device keeps the rotation`(
        display: Machine.Display, names: [String]
    ) throws {
        let daemon = try RunningDaemon([], devices: [chip], displays: [display])
        let machine = try #require(daemon.machine)
        let watch = try daemon.watch(until: names[0])
        for (quarter, (x, y)) in [(0, 1), (-1, 0), (0, -1), (1, 0)].enumerated() where quarter > 0 {
            try machine.hold(chip, x, y, 0)
            let state = try watch.state()
            #expect(state.orientation == names[quarter] && state.lastEdge == names[quarter])
            #expect(state.rotation == quarter * 90)
        }
        try machine.hold(chip, 0, 0, 1)
        let flat = try watch.state()
        #expect(flat.orientation == "faceUp" && flat.rotation == 270)
        #expect(try daemon.runTool("status").output.contains("display        needs 270° counter-clockwise"))
        #expect(try daemon.runTool("watch", "--count", "1").output == ["faceUp: display needs 270° counter-clockwise"])
    }

    @Test func `the option comes before udev, udev before the panel, and the panel before portrait`() throws {
        var device = chip
        device.properties["ORIENTATIOND_NATURAL_ORIENTATION"] = "landscapeLeft"
        let forced = try RunningDaemon(
            ["--natural-orientation", "portrait"], devices: [device], displays: [Self.wide])
        #expect(try forced.state.natural == "portrait")
        #expect(try listed(by: forced) == "portrait, from --natural-orientation")
        let byUdev = try RunningDaemon([], devices: [device], displays: [Self.tall])
        #expect(try byUdev.state.natural == "landscapeLeft")
        #expect(try listed(by: byUdev) == "landscapeLeft, from udev ORIENTATIOND_NATURAL_ORIENTATION")
        let examined = try byUdev.runTool("doctor", "--json")
        #expect(
            examined.output.joined().contains(
                "the natural orientation is landscapeLeft, from udev ORIENTATIOND_NATURAL_ORIENTATION"))
    }

    @Test func `a wrong udev property is a warning that names it and the valid values, and the panel counts`() throws {
        var device = chip
        device.properties["ORIENTATIOND_NATURAL_ORIENTATION"] = "landscapeRight"
        let daemon = try daemon(device: device, displays: [Self.wide])
        #expect(try daemon.state.natural == "landscapeLeft")
        let warning =
            "udev ORIENTATIOND_NATURAL_ORIENTATION: invalid value 'landscapeRight': must be portrait or landscapeLeft"
        #expect(try daemon.runTool("sensors").output.contains("    warning: \(warning)"))
        #expect(daemon.end().contains("iio:device0: \(warning)"))
    }

    @Test func `a panel that is probed later renames the edges, also that of the lock, and keeps the rotation`()
        throws
    {
        let bed = try Testbed([chip], displays: [Self.unprobed, Self.monitor])
        let watch = try bed.watch(until: "portrait")
        let lock = try bed.tool("lock", "landscape-primary")
        #expect(lock.wait() == 0)
        let former = try watch.state { $0.locked }
        #expect(former.lockedTo == "landscapeLeft" && former.rotation == 0)
        try bed.probe(Self.unprobed, "1920x1080")
        let state = try watch.state()
        #expect(state.natural == "landscapeLeft" && state.orientation == "landscapeLeft")
        #expect(state.lastEdge == "landscapeLeft" && state.lockedTo == "portraitUpsideDown")
        #expect(state.rotation == 0 && state.sequence == former.sequence + 1)
    }

    @Test func `a change of the udev property applies without an unknown state in between`() throws {
        let bed = try Testbed([chip], displays: [Self.tall])
        let watch = try bed.watch(until: "portrait")
        try bed.change(chip, "ORIENTATIOND_NATURAL_ORIENTATION", to: "landscapeLeft")
        let state = try watch.state()
        #expect(state.orientation == "landscapeLeft" && state.natural == "landscapeLeft" && state.rotation == 0)
    }

    @Test(arguments: [EIO, Faults.hang])
    func `modes that cannot be read do not delay the start, and are read again on reload`(error: Int32) throws {
        let faults = try Faults()
        try faults.set("open", "card0-eDP-1/modes", error)
        let daemon = try RunningDaemon([], devices: [chip], displays: [Self.wide, Self.monitor], faults: faults)
        let watch = try daemon.tool("watch", "--json")
        #expect(try watch.states(until: "portrait").last?.natural == "portrait")
        try faults.clear()
        daemon.program.send(SIGHUP)
        #expect(try watch.state { $0.orientation == "landscapeLeft" }.rotation == 0)
        let warning = "/sys/class/drm: timed out: no modes read within 0.5 s; starting without them"
        let count = daemon.end().components(separatedBy: warning).count - 1
        #expect(count == (error == Faults.hang ? 1 : 0))
    }

    @Test func `a second monitor of another shape does not rename the edges`() throws {
        let second = Machine.Display(name: "DP-1", modes: [], isConnected: false)
        let bed = try Testbed([chip], displays: [Self.monitor, second])
        let watch = try bed.tool("watch", "--json")
        let former = try #require(try watch.states(until: "landscapeLeft").last)
        try Machine.write("connected", to: "\(bed.root)/sys\(second.path)/status")
        try bed.probe(second, "1080x1920")
        // The first monitor still decides.
        try bed.probe(Self.monitor, "2160x3840")
        #expect(try watch.state { $0.natural == "portrait" }.sequence == former.sequence + 1)
        let listing = try RunningProgram.run(Programs.tool, toolOptions(bed.folder.path + "/socket") + ["sensors"])
        #expect(
            listing.output.contains("    natural orientation portrait, from display card0-HDMI-A-1, 2160x3840"))
    }

    @Test func `the lock holds an edge of the panel, also one that an older version stored`() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("closed landscapeLeft\n", to: "rotation-lock")
        let place = ["--state-directory", folder.path]
        do {
            let daemon = try daemon(place, displays: [Self.wide])
            #expect(try daemon.state.lockedTo == "portraitUpsideDown")
            #expect(try daemon.runTool("lock", "portrait-primary").status == 0)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "closed left\n")
        }
        let daemon = try daemon(place, displays: [Self.tall])
        #expect(try daemon.state.lockedTo == "landscapeRight")
    }

    @Test func `the first call of a new daemon names an edge of its panel`() throws {
        let daemon = try daemon(displays: [Self.wide])
        #expect(try daemon.runTool("lock", "landscape-secondary").status == 0)
        let file = daemon.folder.path + "/rotation-lock"
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "closed bottom\n")
    }

    @Test func `the command of watch --exec gets the rotation and the natural orientation`() throws {
        let daemon = try RunningDaemon([], devices: [chip], displays: [Self.wide])
        // The command waits 1 s for a sensor that starts, which a loaded machine exceeds.
        let subscriber = try daemon.watch(until: "landscapeLeft")
        let command = "echo $ORIENTATION $ROTATION $NATURAL"
        let watch = try daemon.runTool("watch", "--count", "1", "--exec", command)
        #expect(watch.output == ["landscapeLeft (top edge up): display needs no rotation"])
        #expect(watch.errors == "landscapeLeft 0 landscapeLeft\n")
        withExtendedLifetime(subscriber) {}
    }

    @Test func `the panel does not apply to a simulated device, whose option names its poses`() throws {
        let simulated = try RunningDaemon(["--sensor", "fake:"], devices: [], displays: [Self.wide])
        #expect(try simulated.state.natural == "portrait")
        let daemon = try RunningDaemon(["--sensor", "fake:natural=landscapeLeft"])
        let watch = try daemon.tool("watch", "--json")
        try daemon.simulate("portrait")
        let state = try watch.state { $0.orientation == "portrait" && $0.natural == "landscapeLeft" }
        #expect(state.rotation == 90)
        try daemon.simulate("landscapeLeft")
        #expect(try watch.state { $0.orientation == "landscapeLeft" }.rotation == 0)
    }

    @Test func `a recording keeps the natural orientation for the daemon, replay and classify`() throws {
        let folder = try TemporaryDirectory()
        let file = folder.path("wide.rec")
        do {
            let daemon = try RunningDaemon(["--sensor", "fake:natural=landscapeLeft"])
            try daemon.simulate("portrait")
            _ = try daemon.tool("watch", "--json").states(until: "portrait")
            try folder.write(try daemon.record().output.map { $0 + "\n" }.joined(), to: "wide.rec")
        }
        let text = try folder.text(of: "wide.rec")
        #expect(text.contains("\n# natural: landscapeLeft\n"))
        #expect(try RunningProgram.run(Programs.tool, ["classify", file]).output == ["0.0,portrait"])
        let replayed = try RunningProgram.run(Programs.tool, ["replay", "--speed", "max", "--json", file])
        #expect(try WireState(try #require(replayed.output.first)).rotation == 90)
        let daemon = try RunningDaemon(["--sensor", "replay:\(file)"])
        #expect(try daemon.state.orientation == "portrait")
        #expect(try listed(by: daemon) == "landscapeLeft, from recording")
        let old = folder.path("old.rec")
        try text.replacingOccurrences(of: "# natural: landscapeLeft\n", with: "")
            .write(toFile: old, atomically: true, encoding: .utf8)
        #expect(try RunningProgram.run(Programs.tool, ["classify", old]).output == ["0.0,landscapeRight"])
    }
}
