// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Sensors

@Suite struct RestoreRecordTests {
    private let folder: URL

    init() {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("od-\(UUID().uuidString)/state")
        try? FileManager.default.createDirectory(
            at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
    }

    private func cleanUp() {
        try? FileManager.default.removeItem(at: folder.deletingLastPathComponent())
    }

    private var file: String { folder.path + "/restore-record" }

    private func record(bootID: String? = "this") -> RestoreRecord {
        RestoreRecord(folder: folder.path, bootID: bootID)
    }

    @Test func `the settings of a killed process are returned to the next one, once`() {
        defer { cleanUp() }
        var settings = SavedSettings(device: "iio:device3")
        settings.enabledBuffer = true
        settings.attachedTrigger = true
        settings.frequency = "5.000000"
        settings.clock = "realtime"
        #expect(record().write(settings))
        let next = record()
        #expect(next.takeUnrestored() == settings)
        #expect(next.takeUnrestored() == nil)
    }

    @Test func `a record is neither replaced nor removed until its settings were read`() {
        defer { cleanUp() }
        let (former, other) = (SavedSettings(device: "iio:device3"), SavedSettings(device: "iio:device4"))
        #expect(record().write(former))
        let next = record()
        #expect(next.failure?.contains("was not read yet") == true)
        #expect(!next.write(other))
        next.remove()
        #expect(next.takeUnrestored() == former)
        #expect(next.failure == nil)
        #expect(next.write(other))
    }

    @Test func `a process does not restore from its own record`() {
        defer { cleanUp() }
        let record = record()
        #expect(!record.isInUse)
        #expect(record.write(SavedSettings(device: "iio:device3")))
        #expect(record.takeUnrestored() == nil)
        #expect(record.isInUse)
        #expect(record.conflict(with: "iio:device3") == "the buffer could not be disabled after its last use")
        #expect(record.conflict(with: "iio:device4") == "the restore record is in use for iio:device3")
        record.remove()
        #expect(record.conflict(with: "iio:device3") == nil)
        #expect(!record.isInUse)
    }

    @Test func `a record of an earlier boot and a damaged record are ignored`() throws {
        defer { cleanUp() }
        #expect(record(bootID: "earlier").write(SavedSettings(device: "iio:device3")))
        #expect(record().takeUnrestored() == nil)
        let damaged = [
            "", "this", "this iio:device0", "this\nbuffer", "this\ndevice iio:device0\nfrequency",
            "this\ndevice iio:device0\nrm -rf /", "\0\0", String(repeating: "x", count: 10_000),
        ]
        for text in damaged {
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            #expect(record().takeUnrestored() == nil)
        }
    }

    @Test func `a removed record is not restored from`() {
        defer { cleanUp() }
        let first = record()
        #expect(first.write(SavedSettings(device: "iio:device3")))
        first.remove()
        #expect(!first.exists)
        #expect(record().takeUnrestored() == nil)
    }

    @Test func `the channel of an ambient sensor is kept, and that of accelerometers is implied`() {
        var settings = SavedSettings(device: "iio:device3", channel: "illuminance")
        #expect(settings.isEmpty)
        settings.frequency = "1"
        #expect(!settings.isEmpty && SavedSettings(parsing: settings.text) == settings)
        #expect(SavedSettings(parsing: "device iio:device3\n")?.channel == "accel_x")
    }

    @Test func `the buffer device is known from the write of its settings until the removal`() {
        defer { cleanUp() }
        let record = record()
        var settings = SavedSettings(device: "iio:device3")
        settings.frequency = "1"
        #expect(record.write(settings))
        #expect(record.bufferDevice == nil)
        settings.enabledBuffer = true
        #expect(record.write(settings))
        #expect(record.bufferDevice == "iio:device3")
        record.remove()
        #expect(record.bufferDevice == nil)
    }

    @Test func `without a writable folder or a boot id the failure states the cause`() {
        defer { cleanUp() }
        #expect(record().failure == nil)
        #expect(record(bootID: nil).failure?.contains("boot id") == true)
        #expect(RestoreRecord(folder: nil, bootID: "this").failure?.contains("state directory") == true)
        let unwritable = RestoreRecord(folder: folder.path + "/not/there", bootID: "this")
        #expect(unwritable.failure?.contains("/not/there") == true)
        #expect(!unwritable.write(SavedSettings(device: "iio:device0")))
    }

    @Test func `a symbolic link in place of the draft is replaced, and its target is not written`() throws {
        defer { cleanUp() }
        let record = record()
        let target = folder.appendingPathComponent("target")
        try "kept".write(to: target, atomically: true, encoding: .utf8)
        symlink(target.path, file + ".new")
        #expect(record.write(SavedSettings(device: "iio:device3")))
        #expect(try String(contentsOf: target, encoding: .utf8) == "kept")
        #expect(self.record().takeUnrestored() == SavedSettings(device: "iio:device3"))
    }

    @Test func `a symbolic link, a FIFO and a folder in place of the record are ignored without blocking`() throws {
        defer { cleanUp() }
        let first = record()
        #expect(first.write(SavedSettings(device: "iio:device3")))
        #expect(rename(file, file + "-elsewhere") == 0 && symlink(file + "-elsewhere", file) == 0)
        #expect(record().takeUnrestored() == nil)
        #expect(unlink(file) == 0 && mkfifo(file, 0o600) == 0)
        #expect(record().takeUnrestored() == nil)
        #expect(unlink(file) == 0 && mkdir(file, 0o700) == 0)
        #expect(record().takeUnrestored() == nil)
    }
}
