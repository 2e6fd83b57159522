// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The natural orientation: where it comes from, and where it shows. Serialized: each test starts programs.
@Suite(.serialized) struct NaturalOrientationTests {
    private let chip = Machine.Device.upright
    private static let wide = Machine.Display(name: "eDP-1", modes: ["1920x1080", "1280x720"])
    private static let monitor = Machine.Display(name: "HDMI-A-1", modes: ["3840x2160"])

    /// Starts a daemon that knows the panel from the start: it waits only 0.5 s for it.
    private func daemon(displays: [Machine.Display]) throws -> RunningDaemon {
        while true {
            let daemon = try RunningDaemon([], devices: [chip], displays: displays)
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
}
