// SPDX-License-Identifier: Apache-2.0

import Foundation
import Posix
import Systemd
import TestSupport
import Testing

@testable import OrientationDaemon

@Suite(.timeLimit(.minutes(10))) struct PanelLookupTests {
    private let directory: TemporaryDirectory

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

    @Test func `beside a panel the modes of other displays, whose read may hang, are not read`() throws {
        try add("card0-HDMI-A-1", "1920x1080")
        try add("card1-eDP-1", "800x1280")
        let found = try DisplayConnector.readAll(in: directory.path) { path throws(Errno) in
            #expect(!path.hasSuffix("card0-HDMI-A-1/modes"))
            return try DisplayConnector.readAttribute(path)
        }.get()
        #expect(found.map(\.name) == ["card1-eDP-1", "card0-HDMI-A-1"])
        #expect(found.map(\.isConnected) == [true, true])
        #expect(found.map(\.mode) == [DisplayMode("800x1280"), nil])
    }

    @Test func `a directory that does not exist has no connectors`() throws {
        #expect(try DisplayConnector.readAll(in: directory.path("none")).get() == [])
    }

    @Test(arguments: ["status", "enabled", "modes"])
    func `an attribute that cannot be read is a failure, and one that was removed is not`(attribute: String) throws {
        try add("card1-eDP-1", "800x1280")
        let read = { (code: Int32) in
            DisplayConnector.readAll(in: directory.path) { path throws(Errno) in
                if path.hasSuffix(attribute) { throw Errno(code) }
                return try DisplayConnector.readAttribute(path)
            }
        }
        #expect(try read(ENOENT).get().map(\.name) == ["card1-eDP-1"])
        #expect(throws: SystemError.self) { try read(EMFILE).get() }
    }
}
