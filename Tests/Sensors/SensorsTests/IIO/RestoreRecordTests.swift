// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Sensors

@Suite struct RestoreRecordTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// The state directory, which the first record creates.
    private var state: String { folder.path("state") }

    private var file: String { state + "/restore-record" }

    private func record(bootID: String? = "this") -> RestoreRecord {
        RestoreRecord(folder: state, bootID: bootID)
    }

    /// Settings with nothing to restore.
    private func nothing(_ device: String = "iio:device3") -> SavedSettings { SavedSettings(device: device) }

    @Test func `the settings of a killed process are returned to the next one, once`() {
        var settings = SavedSettings(device: "iio:device3")
        settings.add("buffer/enable", "0")
        settings.add("current_timestamp_clock", "realtime")
        settings.add("in_accel_sampling_frequency", "5.000000")
        settings.add("trigger/current_trigger", "")
        #expect(record().write(settings))
        let next = record()
        #expect(next.takeUnrestored() == settings)
        #expect(next.takeUnrestored() == nil)
    }

    @Test func `a record is neither replaced nor removed until its settings were read`() {
        let (former, other) = (SavedSettings(device: "iio:device3"), SavedSettings(device: "iio:device4"))
        #expect(record().write(former))
        let next = record()
        #expect(next.failure?.contains("was not read yet") == true)
        #expect(!next.write(other))
        next.end(left: nothing())
        #expect(next.takeUnrestored() == former)
        #expect(next.failure == nil)
        #expect(next.write(other))
    }

    @Test func `a process does not restore from its own record`() {
        let record = record()
        #expect(record.write(SavedSettings(device: "iio:device3")))
        #expect(record.takeUnrestored() == nil)
        #expect(record.conflict(with: "iio:device3") == nil)
        #expect(record.conflict(with: "iio:device4") == "the restore record is in use for iio:device3")
        record.end(left: nothing())
        #expect(record.conflict(with: "iio:device4") == nil)
    }

    @Test func `a record of an earlier boot and a damaged record are ignored`() throws {
        #expect(record(bootID: "earlier").write(SavedSettings(device: "iio:device3")))
        #expect(record().takeUnrestored() == nil)
        let damaged = [
            "", "this", "this device=iio:device0", "this\nbuffer/enable=0", "this\ndevice=iio:device0\nbuffer/enable",
            "this\ndevice=iio:device0\n../x=1", "this\ndevice=iio:device0\n/etc/x=1", "this\ndevice=iio:device0\n=1",
            "\0\0", String(repeating: "x", count: 10_000),
        ]
        for text in damaged {
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            #expect(record().takeUnrestored() == nil)
        }
    }

    @Test func `what could not be restored stays in the record until it is, and is reported once`() {
        let reports = Reports()
        let record = RestoreRecord(folder: state, bootID: "this") { reports.texts.append($0) }
        var left = SavedSettings(device: "iio:device3")
        left.add("sampling_frequency", "50")
        for _ in 0..<2 {
            var used = left
            used.add("buffer/enable", "0")
            #expect(record.write(used) && record.left(of: "iio:device3") == nil)
            record.end(left: left)
            #expect(record.left(of: "iio:device3") == left && record.takeUnrestored() == left)
            #expect(record.bufferDevice == nil && record.conflict(with: "iio:device3") == nil)
            // Also by the next process.
            #expect(self.record().takeUnrestored() == left)
        }
        // The settings of another device would replace it.
        #expect(!record.write(SavedSettings(device: "iio:device4")))
        left.add("buffer/enable", "0")
        record.end(left: left)
        #expect(record.conflict(with: "iio:device3") == "the buffer could not be disabled after its last use")
        record.end(left: nothing())
        #expect(!record.exists && record.takeUnrestored() == nil)
        #expect(
            reports.texts
                == ["sampling_frequency=50", "sampling_frequency=50, buffer/enable=0"].map {
                    "iio:device3: cannot restore its settings (\($0)); trying again at the next use"
                })
    }

    @Test func `a setting that is not restored has another value, unless its device was removed`() throws {
        let attributes = SysfsFolder(path: folder.path)
        _ = try folder.write("25\n", to: "sampling_frequency")
        #expect(attributes.restore("50", to: "sampling_frequency"))
        #expect(try folder.text(of: "sampling_frequency") == "50\n")
        #expect(attributes.restore("50", to: "removed"))
        try FileManager.default.createDirectory(atPath: folder.path("busy"), withIntermediateDirectories: false)
        #expect(!attributes.restore("50", to: "busy"))
    }

    @Test func `the first former value of an attribute is kept`() {
        var settings = SavedSettings(device: "iio:device3")
        settings.add("sampling_frequency", "1")
        settings.add("sampling_frequency", "10")
        settings.addFirst([.init(name: "events/in_accel_x_roc_either_en", value: "0")])
        #expect(
            settings.text == "device=iio:device3\nevents/in_accel_x_roc_either_en=0\nsampling_frequency=1\n")
    }

    @Test func `the buffer device is known from the write of its settings until the removal`() {
        let record = record()
        var settings = SavedSettings(device: "iio:device3")
        settings.add("sampling_frequency", "1")
        #expect(record.write(settings))
        #expect(record.bufferDevice == nil)
        settings.add("buffer/enable", "0")
        #expect(record.write(settings))
        #expect(record.bufferDevice == "iio:device3")
        record.end(left: nothing())
        #expect(record.bufferDevice == nil)
    }

    @Test func `without a writable folder or a boot id the failure states the cause`() {
        #expect(record().failure == nil)
        #expect(record(bootID: nil).failure?.contains("boot id") == true)
        #expect(RestoreRecord(folder: nil, bootID: "this").failure?.contains("state directory") == true)
        let unwritable = RestoreRecord(folder: state + "/not/there", bootID: "this")
        #expect(unwritable.failure?.contains("/not/there") == true)
        #expect(!unwritable.write(SavedSettings(device: "iio:device0")))
    }
}

/// The messages of a record.
private final class Reports: @unchecked Sendable {
    var texts: [String] = []
}
