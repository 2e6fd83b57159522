// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import Systemd
import SystemdTestSupport
import TestServer
import TestSupport
import Testing

@testable import OrientationDaemon

@Suite struct StateDirectoryTests {
    private let folder = try? TemporaryDirectory()
    private let messages = LoggedMessages()

    private var log: Logger { messages.logger }
    private var path: String { folder?.path("state") ?? "" }
    private var file: String { path + "/rotation-lock" }

    /// What is said of a lock that cannot be kept.
    private func complaint(of lock: RotationLock) -> String? {
        do {
            try StateDirectory(path: path).write(lock)
            return nil
        } catch {
            return error.description
        }
    }

    private func make(_ content: Data) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try content.write(to: URL(fileURLWithPath: file))
    }

    @Test(arguments: RotationLockTests.all)
    func `a stored lock is read by the next run`(lock: RotationLock) throws {
        try StateDirectory(path: path).write(lock)
        #expect(StateDirectory(path: path).readLock(log: log) == lock)
        #expect(messages.texts.isEmpty)
    }

    @Test func `without a file the lock is off, without a warning`() {
        #expect(StateDirectory(path: path).readLock(log: log) == .off)
        #expect(messages.texts.isEmpty)
    }

    @Test func `missing folders are created with mode 0700`() throws {
        try StateDirectory(path: path + "/a/b").write(.off)
        let mode = try FileManager.default.attributesOfItem(atPath: path + "/a/b")[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    nonisolated static let damages = [
        Data(), Data("closed landsc".utf8), Data([0xFF, 0xFE, 0]), Data(repeating: 0, count: 40),
        // Right, but for its length.
        Data(("closed top" + String(repeating: " ", count: 300)).utf8),
        Data(repeating: UInt8(ascii: "x"), count: 1 << 20),
    ]

    @Test(arguments: damages)
    func `a damaged file is reported and replaced`(damage: Data) throws {
        try make(damage)
        #expect(StateDirectory(path: path).readLock(log: log) == .off)
        #expect(messages.texts == ["\(file): invalid content; the rotation lock is off"])
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "open\n")
    }

    @Test func `a symbolic link is not followed, and is replaced by a write`() throws {
        let other = folder?.path("other") ?? ""
        try Data("closed top\n".utf8).write(to: URL(fileURLWithPath: other))
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: other)
        try FileManager.default.createSymbolicLink(atPath: file + ".new", withDestinationPath: other)
        #expect(StateDirectory(path: path).readLock(log: log) == .off)
        #expect(messages.texts.count == 1)
        try StateDirectory(path: path).write(.on(.right))
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "closed top\n")
        #expect(StateDirectory(path: path).readLock(log: log) == .on(.right))
    }

    @Test(arguments: ["rotation-lock", "rotation-lock.new"])
    func `a folder in the way is reported, and left alone`(name: String) throws {
        let inTheWay = path + "/" + name
        try FileManager.default.createDirectory(atPath: inTheWay, withIntermediateDirectories: true)
        #expect(StateDirectory(path: path).readLock(log: log) == .off)
        #expect(throws: SystemError.self) { try StateDirectory(path: path).write(.on(nil)) }
        #expect(FileManager.default.fileExists(atPath: inTheWay))
    }

    @Test func `a lock that is turned off while no file can be written, as on a full disk, stays off`() throws {
        try make(Data("closed\n".utf8))
        try FileManager.default.createDirectory(atPath: file + ".new", withIntermediateDirectories: false)
        #expect(complaint(of: .on(.top)) != nil)
        #expect(StateDirectory(path: path).readLock(log: log) == .on(nil))
        for _ in 1...2 { #expect(complaint(of: .off) == nil) }
        #expect(StateDirectory(path: path).readLock(log: log) == .off)
    }

    @Test func `a FIFO in place of the file does not block`() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(mkfifo(file, 0o600) == 0)
        #expect(mkfifo(file + ".new", 0o600) == 0)
        #expect(StateDirectory(path: path).readLock(log: log) == .off)
        try StateDirectory(path: path).write(.on(.top))
        #expect(StateDirectory(path: path).readLock(log: log) == .on(.top))
    }

    @Test func `a file in the place of the folder is reported`() throws {
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(StateDirectory(path: path).readLock(log: log) == .off)
        #expect(messages.texts.count == 1)
        #expect(messages.texts.allSatisfy { $0.contains("Not a directory") })
        #expect(complaint(of: .off) == "cannot write \(file): Not a directory")
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func `a folder that may not be written to is reported`() throws {
        try make(Data("closed\n".utf8))
        chmod(path, 0o500)
        defer { chmod(path, 0o700) }
        #expect(StateDirectory(path: path).readLock(log: log) == .on(nil))
        #expect(complaint(of: .off) == "cannot write \(file): Permission denied")
    }
}
