// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Systemd
import Testing
import TestSupport

@testable import OrientationDaemon

@Suite(.timeLimit(.minutes(10))) struct PanelLookupTests {
    private let directory: TemporaryDirectory
    private let queue = EventQueue()

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Adds a connected display; one that hangs blocks the reader of its modes.
    private func add(_ name: String, _ mode: String, hangs: Bool = false) throws {
        try FileManager.default.createDirectory(
            atPath: directory.path(name), withIntermediateDirectories: false)
        try directory.write("connected\n", to: "\(name)/status")
        try directory.write("enabled\n", to: "\(name)/enabled")
        if hangs {
            #expect(mkfifo(directory.path("\(name)/modes"), 0o600) == 0)
        } else {
            try directory.write("\(mode)\n", to: "\(name)/modes")
        }
    }

    /// The connectors of the next event, by name.
    private func connectors() -> [String: DisplayConnector] {
        guard case .connectorsRead(let connectors)? = queue.popFirst() else { return [:] }
        return Dictionary(uniqueKeysWithValues: connectors.map { ($0.name, $0) })
    }

    @Test func `a display that hangs does not hide the panel`() throws {
        try add("card0-HDMI-A-1", "1920x1080", hangs: true)
        try add("card1-eDP-1", "800x1280")
        let loop = try EventLoop()
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let lookup = PanelLookup(on: loop, queue: queue, log: log, directory: directory.path)
        // The connectors are sorted: the panel has been read once the other one is being read.
        while lookup.hanging != "card0-HDMI-A-1" { sched_yield() }
        lookup.wait(seconds: 0)
        let found = connectors()
        #expect(found["card1-eDP-1"]?.mode == DisplayMode("800x1280"))
        #expect(found["card0-HDMI-A-1"]?.isConnected == true)
        #expect(found["card0-HDMI-A-1"]?.mode == nil)
        // Ends the thread.
        let writer = open(directory.path("card0-HDMI-A-1/modes"), O_RDWR)
        close(writer)
    }

    @Test func `a directory that does not exist has no connectors`() throws {
        let progress = LookupProgress()
        #expect(try DisplayConnector.readAll(in: directory.path("none"), progress).get() == [])
    }
}
