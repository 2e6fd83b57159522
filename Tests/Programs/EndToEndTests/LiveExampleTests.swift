// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The apps in Examples/interface, subscribed to a daemon whose simulated device `orientationctl simulate` turns.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LiveExampleTests {
    @Test func `P1, P2: Gallery follows the daemon, and a film gets its preferred orientation`() throws {
        let live = try LiveExample("Gallery")
        try live.waits(for: "device portrait, interface portrait")
        try live.says("tab 1", thenShows: "M a p")
        try live.turns("landscapeLeft", andIsNow: "device landscapeLeft, interface landscapeRight")
        try live.waits(for: "M a p")
        try live.says("view", thenShows: "device landscapeLeft, interface landscapeLeft")
        try live.says("close", thenShows: "device landscapeLeft, interface landscapeRight")
        try live.turns("portrait", andIsNow: "device portrait, interface portrait")
        #expect(try live.program.end() == 0)
    }

    private static func reader(_ daemon: RunningDaemon, _ arguments: String...) throws -> RunningProgram {
        try RunningProgram(
            "/usr/bin/env",
            [
                "-C", Programs.packageFolder + "/Examples/interface/Reader", "ORIENTATIOND_SOCKET=\(daemon.socket)",
                "stdbuf", "-oL", Programs.example("Reader"),
            ] + arguments)
    }

    @Test(arguments: [
        ("page", "720 × 1440 in portrait", "landscapeLeft", "landscapeRight"),
        ("film", "1440 × 720 in landscapeRight", "landscapeRight", "landscapeLeft"),
    ])
    func `R24: the app of the tutorial follows the daemon`(
        argument: String, start: String, pose: String, interface: String
    ) throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        let app = try Self.reader(daemon, argument)
        func waits(for text: String) throws { _ = try app.lines { $0.contains(text) } }
        // A turn needs a known orientation, and the end of the turn before it, in any order.
        var missing = [start, "The interface"] + (argument == "film" ? ["landscapeRight, turned 100 %"] : [])
        _ = try app.lines { line in
            missing.removeAll { line.contains($0) }
            return missing.isEmpty
        }
        try daemon.simulate(pose)
        // A film is in landscape already, and a half turn changes no size.
        if argument == "page" { try waits(for: "the lines become 1440 long") }
        try waits(
            for: "The interface turns to \(interface) because the device was turned and the device is held that way.")
        try waits(for: "1440 × 720 in \(interface), turned 100 %")
    }
}

/// An example app and its daemon.
private struct LiveExample {
    let daemon: RunningDaemon
    let program: InteractiveProgram

    init(_ name: String) throws {
        daemon = try RunningDaemon(["--sensor", "fake:"])
        program = try InteractiveProgram(
            "/usr/bin/env", ["ORIENTATIOND_SOCKET=\(daemon.socket)", Programs.example(name), "--live"])
    }

    /// Reads until a line of the screen contains this text.
    func waits(for text: String) throws {
        _ = try program.program.lines { $0.contains(text) }
    }

    func says(_ command: String, thenShows text: String) throws {
        try program.writeLine(command)
        try waits(for: text)
    }

    func turns(_ orientation: String, andIsNow text: String) throws {
        try daemon.simulate(orientation)
        try waits(for: text)
    }
}
