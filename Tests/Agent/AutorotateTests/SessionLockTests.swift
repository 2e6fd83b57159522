// SPDX-License-Identifier: Apache-2.0

import Displays
import Foundation
import TestSupport
import Testing
import Varlink

@testable import Autorotate

@Suite struct SessionLockTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test(arguments: [
        (["WAYLAND_DISPLAY": "wayland-1"], "/run/x/orientation-autorotate/wayland-1.lock"),
        (["WAYLAND_DISPLAY": "/run/x/wayland-1"], "/run/x/orientation-autorotate/wayland-1.lock"),
        (["WAYLAND_DISPLAY": "/other/name"], "/run/x/orientation-autorotate/_other_name.lock"),
        (["DISPLAY": ":0"], "/run/x/orientation-autorotate/:0.lock"),
        (["DISPLAY": ":0.0"], "/run/x/orientation-autorotate/:0.lock"),
        (["DISPLAY": "host.example:0.1"], "/run/x/orientation-autorotate/host.example:0.lock"),
        (["WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":0"], "/run/x/orientation-autorotate/wayland-1.lock"),
    ])
    func `different spellings of one display have one lock`(environment: [String: String], path: String) {
        let all = environment.merging(["XDG_RUNTIME_DIR": "/run/x"]) { first, _ in first }
        #expect(SessionName(all)?.path == path)
        #expect(SessionName(environment) == nil)
    }

    @Test func `a runtime directory that does not exist is reported by the variable, with the remedy`() {
        let failure = #expect(throws: SessionLock.Failure.self) {
            _ = try SessionLock(environment: ["XDG_RUNTIME_DIR": "/nonexist", "WAYLAND_DISPLAY": "wayland-1"])
        }
        #expect(
            failure?.description
                == "XDG_RUNTIME_DIR=/nonexist: cannot create orientation-autorotate in it: No such file or directory; set it "
                + "to a directory of this user, such as /run/user/\(getuid())")
    }

    @Test func `a held lock names the holder, if it is known, and how to stop it`() {
        let unit = "'systemctl --user stop orientation-autorotate'"
        #expect(
            SessionLock.Failure.held(by: 42, display: ":0").description
                == "another orientation-autorotate (process 42) rotates the display :0; stop it with \(unit), or with "
                + "'kill 42' if it is not that unit")
        #expect(SessionLock.Failure.held(by: nil, display: ":0").description.hasSuffix(":0; stop it with \(unit)"))
    }

    @Test func `a pipe in place of the lock is refused, and names no holder`() throws {
        let environment = ["WAYLAND_DISPLAY": "wayland-1", "XDG_RUNTIME_DIR": directory.path]
        mkdir(directory.path("orientation-autorotate"), 0o700)
        #expect(mkfifo(directory.path("orientation-autorotate/wayland-1.lock"), 0o600) == 0)
        #expect(SessionLock.holder(environment: environment) == nil)
        let failure = #expect(throws: SessionLock.Failure.self) { _ = try SessionLock(environment: environment) }
        #expect(failure?.description.hasSuffix("wayland-1.lock: cannot open: not a regular file") == true)
    }

    @Test func `a lock is not released by another close of its file in the same process`() throws {
        let environment = ["WAYLAND_DISPLAY": "wayland-1", "XDG_RUNTIME_DIR": directory.path]
        let lock = try SessionLock(environment: environment)
        _ = try Data(contentsOf: URL(filePath: directory.path("orientation-autorotate/wayland-1.lock")))
        #expect(throws: SessionLock.Failure.self) { _ = try SessionLock(environment: environment) }
        _ = consume lock
        #expect(eventually { (try? take(environment)) != nil })
    }

    /// Takes and releases a lock. A program that another test starts at this moment has copies of all descriptors, and
    /// with them the lock, until its exec: take it again.
    private func take(_ environment: [String: String]) throws { _ = try SessionLock(environment: environment) }

    @Test func `a display server runs while it listens, unless a new one has its name`() throws {
        let environment = ["WAYLAND_DISPLAY": "wayland-1", "XDG_RUNTIME_DIR": directory.path]
        let name = try #require(SessionName(environment))
        #expect(!name.isServed)
        let socket = try ListeningSocket.bind(to: directory.path("wayland-1"), mode: 0o600)
        #expect(!name.isServed)
        let running = try #require(SessionName(environment))
        #expect(running.isServed)
        try FileManager.default.moveItem(atPath: directory.path("wayland-1"), toPath: directory.path("old"))
        let new = try ListeningSocket.bind(to: directory.path("wayland-1"), mode: 0o600)
        #expect(!running.isServed)
        withExtendedLifetime(socket.descriptor + new.descriptor) {}
    }

    @Test func `a restore record stays until it is removed`() throws {
        let environment = ["WAYLAND_DISPLAY": "wayland-1", "XDG_RUNTIME_DIR": directory.path]
        let saved = SavedTransform(output: "Dell Inc. 1", transform: .flipped90)
        func record(_ new: String? = nil) -> String? {
            var (former, result): (String?, Int32) = (nil, -1)
            // As in `take`.
            _ = eventually {
                do {
                    let lock = try SessionLock(environment: environment)
                    former = lock.restoreRecord()
                    result = 0
                    if let new { result = lock.writeRestoreRecord(new) }
                    return true
                } catch {
                    return false
                }
            }
            #expect(result == 0)
            return former
        }
        #expect(record(saved.record) == nil)
        #expect(record().flatMap { SavedTransform(record: $0) } == saved)
        #expect(record("") == saved.record)
        #expect(record() == nil)
        // A new compositor has the name of the former one.
        try Data().write(to: URL(filePath: directory.path("wayland-1")))
        #expect(record(saved.record) == nil)
        #expect(record() == saved.record)
        try FileManager.default.removeItem(atPath: directory.path("wayland-1"))
        #expect(record() == nil)
        for text in ["", "1", "8 eDP-1", "x eDP-1"] { #expect(SavedTransform(record: text) == nil) }
    }
}
