// SPDX-License-Identifier: Apache-2.0

import Foundation
import Posix
import Systemd
import TestSupport
import Testing

@testable import OrientationDaemon

@Suite(.timeLimit(.minutes(10))) struct PanelLookupTests {
    private let directory: TemporaryDirectory
    private let queue = EventQueue()

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Adds a connected display.
    private func add(_ name: String, _ mode: String) throws {
        try FileManager.default.createDirectory(
            atPath: directory.path(name), withIntermediateDirectories: false)
        try directory.write("connected\n", to: "\(name)/status")
        try directory.write("enabled\n", to: "\(name)/enabled")
        try directory.write("\(mode)\n", to: "\(name)/modes")
    }

    /// The connectors of the next event, by name.
    private func connectors() -> [String: DisplayConnector] {
        guard case .connectorsRead(let connectors)? = queue.popFirst() else { return [:] }
        return Dictionary(uniqueKeysWithValues: connectors.map { ($0.name, $0) })
    }

    @Test func `a display that hangs does not hide the panel`() throws {
        try add("card0-HDMI-A-1", "1920x1080")
        try add("card1-eDP-1", "800x1280")
        let loop = try EventLoop()
        let log = Logger { _, _ in }
        let (isHanging, isReleased) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let lookup = PanelLookup(on: loop, queue: queue, log: log, directory: directory.path) { path throws(Errno) in
            if path.hasSuffix("card0-HDMI-A-1/modes") {
                isHanging.signal()
                isReleased.wait()
            }
            return try DisplayConnector.readAttribute(path)
        }
        defer { isReleased.signal() }
        // The connectors are sorted: the panel has been read once the other one is being read.
        #expect(isHanging.wait(timeout: .now() + 60) == .success)
        lookup.wait(seconds: 0)
        let found = connectors()
        #expect(found["card1-eDP-1"]?.mode == DisplayMode("800x1280"))
        #expect(found["card0-HDMI-A-1"]?.isConnected == true)
        #expect(found["card0-HDMI-A-1"]?.mode == nil)
    }

    @Test func `a directory that does not exist has no connectors`() throws {
        let progress = LookupProgress()
        #expect(try DisplayConnector.readAll(in: directory.path("none"), progress).get() == [])
    }

    @Test(arguments: ["status", "enabled", "modes"])
    func `an attribute that cannot be read is a failure, and one that was removed is not`(attribute: String) throws {
        try add("card1-eDP-1", "800x1280")
        let read = { (code: Int32) in
            DisplayConnector.readAll(in: directory.path, LookupProgress()) { path throws(Errno) in
                if path.hasSuffix(attribute) { throw Errno(code) }
                return try DisplayConnector.readAttribute(path)
            }
        }
        #expect(try read(ENOENT).get().map(\.name) == ["card1-eDP-1"])
        #expect(throws: SystemError.self) { try read(EMFILE).get() }
    }
}
