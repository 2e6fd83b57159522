// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import IIOSensing

@Suite struct ArmedNoteTests {
    private let folder: URL

    init() {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("od-\(UUID().uuidString)/state")
        try? FileManager.default.createDirectory(
            at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
    }

    private func cleanUp() {
        try? FileManager.default.removeItem(at: folder.deletingLastPathComponent())
    }

    private func note(boot: String? = "this") -> ArmedNote {
        ArmedNote(folder: folder.path, boot: boot)
    }

    @Test func `what a killed run left behind is found by the next one, once`() {
        defer { cleanUp() }
        var loan = Loan(device: "iio:device3")
        loan.hasBuffer = true
        loan.hasTrigger = true
        loan.frequency = "5.000000"
        loan.clock = "realtime"
        #expect(note().write(loan))
        let next = note()
        #expect(next.takeLeftover() == loan)
        #expect(next.takeLeftover() == nil)
    }

    @Test func `a run never takes its own note for another's`() {
        defer { cleanUp() }
        let note = note()
        #expect(note.write(Loan(device: "iio:device3")))
        #expect(note.takeLeftover() == nil)
    }

    @Test func `a note of an earlier boot, and a damaged one, mean nothing`() throws {
        defer { cleanUp() }
        #expect(note(boot: "earlier").write(Loan(device: "iio:device3")))
        #expect(note().takeLeftover() == nil)
        let damaged = [
            "", "this", "this iio:device0", "this\nbuffer", "this\ndevice iio:device0\nfrequency",
            "this\ndevice iio:device0\nrm -rf /", "\0\0", String(repeating: "x", count: 10_000),
        ]
        for text in damaged {
            try text.write(to: folder.appendingPathComponent("armed"), atomically: true, encoding: .utf8)
            #expect(note().takeLeftover() == nil)
        }
    }

    @Test func `a note that was removed is gone`() {
        defer { cleanUp() }
        let first = note()
        #expect(first.write(Loan(device: "iio:device3")))
        first.remove()
        #expect(note().takeLeftover() == nil)
    }

    @Test func `only a buffer that is ours is held`() {
        defer { cleanUp() }
        let note = note()
        var loan = Loan(device: "iio:device3")
        loan.frequency = "1"
        #expect(note.write(loan))
        #expect(note.held == nil)
        loan.hasBuffer = true
        #expect(note.write(loan))
        #expect(note.held == "iio:device3")
        note.remove()
        #expect(note.held == nil)
    }

    @Test func `where no note can be made it is said why`() {
        defer { cleanUp() }
        #expect(note().obstacle == nil)
        #expect(note(boot: nil).obstacle?.contains("boot") == true)
        #expect(ArmedNote(folder: nil, boot: "this").obstacle?.contains("state directory") == true)
        let nowhere = ArmedNote(folder: folder.path + "/not/there", boot: "this")
        #expect(nowhere.obstacle?.contains("/not/there") == true)
        #expect(!nowhere.write(Loan(device: "iio:device0")))
    }

    @Test func `a link in the place of the draft is replaced, and its target is not written to`() throws {
        defer { cleanUp() }
        let note = note()
        let target = folder.appendingPathComponent("target")
        try "kept".write(to: target, atomically: true, encoding: .utf8)
        symlink(target.path, folder.path + "/armed.new")
        #expect(note.write(Loan(device: "iio:device3")))
        #expect(try String(contentsOf: target, encoding: .utf8) == "kept")
        #expect(self.note().takeLeftover() == Loan(device: "iio:device3"))
    }

    @Test func `a link, a pipe and a folder in the place of the note mean nothing, and none is waited for`() throws {
        defer { cleanUp() }
        let first = note()
        #expect(first.write(Loan(device: "iio:device3")))
        let path = folder.path + "/armed"
        #expect(rename(path, path + "-elsewhere") == 0 && symlink(path + "-elsewhere", path) == 0)
        #expect(note().takeLeftover() == nil)
        #expect(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
        #expect(note().takeLeftover() == nil)
        #expect(unlink(path) == 0 && mkdir(path, 0o700) == 0)
        #expect(note().takeLeftover() == nil)
    }

    @Test func `this boot has a name`() {
        #expect(ArmedNote.bootID()?.isEmpty == false)
    }
}
