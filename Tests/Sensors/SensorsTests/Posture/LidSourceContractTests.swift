// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import Posix
import TestSupport
import Testing

@testable import Sensors

/// The contract of every row of `LidSources`, with a folder instead of sysfs.
@Suite struct LidSourceContractTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// The sources; a new source is a row.
    enum Source: CaseIterable { case intel, unlabelled, chrome, pair }

    /// The vectors of both accelerometers, which the pair reads, and whether they still exist.
    private final class Halves: @unchecked Sendable {
        var display = Acceleration(x: 0, y: 9.8, z: 0)
        var base = Acceleration(x: 0, y: 0, z: 9.8)
        var failure: SensorFailure?

        func half(_ id: String, _ vector: @escaping (Halves) -> Acceleration) -> LaptopHalf {
            LaptopHalf(SensorDescription(id: id, name: "chip")) { () throws(SensorFailure) in
                if let failure = self.failure { throw failure }
                return vector(self)
            }
        }
    }

    private struct Bench {
        let row: LidSource
        let id: String
        /// Opens the lid to an angle while the base lies flat.
        let fold: (Int) throws -> Void
        /// Makes the sensor read what is no angle.
        let damage: () throws -> Void
        let unplug: () throws -> Void
    }

    private func bench(_ source: Source) throws -> Bench {
        let halves = Halves()
        let turn = { (angle: Int) in
            let radians = Double(angle - 90) * .pi / 180
            halves.display = Acceleration(x: 0, y: 9.8 * cos(radians), z: 9.8 * sin(radians))
        }
        guard source != .pair else {
            let info = SensorDescription(.hinge, id: "iio:device1", name: "chip", method: "")
            let row = LidSource { _ in
                [
                    FoundSensor(info: info) {
                        AccelerometerPair(
                            display: halves.half("iio:device0") { $0.display },
                            base: halves.half("iio:device1") { $0.base })
                    }
                ]
            }
            return Bench(
                row: row, id: "iio:device1", fold: turn, damage: { halves.base = .zero },
                unplug: { halves.failure = .gone("disconnected") })
        }
        let device = "\(folder.path)/iio:device3"
        try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
        let write = { (name: String, text: String) in
            // In place: readers keep the file open.
            let file = "\(device)/\(name)"
            guard let handle = fopen(file, FileManager.default.fileExists(atPath: file) ? "r+" : "w") else {
                Issue.record("cannot open \(file)")
                return
            }
            defer { fclose(handle) }
            fputs(text.padding(toLength: max(text.count, 8), withPad: "\n", startingAt: 0), handle)
        }
        let row = HingeSensor.source(in: SysfsFolder(path: folder.path)) { _ in
            halves.half("iio:device0") { $0.display }
        }
        if source == .chrome {
            write("name", "cros-ec-lid-angle\n")
            return try bench(
                row, device,
                fold: {
                    write("in_angl_raw", "\($0)")
                    turn($0)
                }, damage: { write("in_angl_raw", "500") })
        }
        write("name", "hinge")
        // As the kernel states it.
        write("in_angl_scale", "0.017453293")
        // Not in the order of their numbers.
        let names = source == .intel ? ["screen", "keyboard", "hinge"] : ["hinge", "screen", "keyboard"]
        if source == .intel { for (index, name) in names.enumerated() { write("in_angl\(index)_label", name) } }
        let set = { (values: [String: Int]) in
            for (index, name) in names.enumerated() { write("in_angl\(index)_raw", "\(values[name] ?? 0)") }
        }
        return try bench(
            row, device,
            fold: {
                set(["hinge": $0, "screen": $0])
                turn($0)
            },
            damage: { set(["hinge": 360, "screen": 17]) })
    }

    private func bench(
        _ row: LidSource, _ device: String, fold: @escaping (Int) throws -> Void, damage: @escaping () throws -> Void
    ) throws -> Bench {
        try fold(90)
        return Bench(
            row: row, id: "iio:device3", fold: fold, damage: damage,
            unplug: { try FileManager.default.removeItem(atPath: device) })
    }

    private func angle(_ reading: LidReading) -> Int? {
        if case .angle(let angle, _) = reading { Int(angle.rounded()) } else { nil }
    }

    @Test(arguments: Source.allCases)
    func `A source lists its sensor, reads each angle, and reports what is none`(source: Source) throws {
        let bench = try bench(source)
        let found = try bench.row.scan(HardwareFacts())
        let info = found.first?.info
        #expect(found.count == 1 && info?.id == bench.id && info?.kind == .hinge && info?.rejection == nil)
        let meter = try #require(found.first).open()
        // Two accelerometers measure 0 instead of 360.
        for (second, expected) in ([90, 130, 181] + (source == .pair ? [270] : [360, 270])).enumerated() {
            try bench.fold(expected)
            #expect(angle(try meter.read(at: Double(second))) == expected)
        }
        try bench.damage()
        #expect(try meter.read(at: 5) == .unreliable)
    }

    @Test func `A hinge whose label or scale cannot be read is a failure, not a hinge without them`() throws {
        let row = try bench(.intel).row
        for (name, isOpened) in [("in_angl_scale", true), ("in_angl1_label", false), ("name", false)] {
            let file = "\(folder.path)/iio:device3/\(name)"
            try FileManager.default.moveItem(atPath: file, toPath: file + ".kept")
            // Reading a folder fails with EISDIR.
            try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
            #expect(throws: SensorFailure.failed("iio:device3: cannot read \(name): Is a directory")) {
                let found = try row.scan(HardwareFacts())
                if isOpened { _ = try #require(found.first).open() }
            }
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.moveItem(atPath: file + ".kept", toPath: file)
        }
    }

    @Test(arguments: Source.allCases)
    func `A removed sensor is reported, before and after it is opened`(source: Source) throws {
        let bench = try bench(source)
        let found = try #require(try LidSources.source([bench.row]) { _ in nil }.scan(HardwareFacts()).first)
        let sensor = try found.open()
        try bench.unplug()
        if source == .pair { #expect(throws: SensorFailure.gone("disconnected")) { _ = try sensor.next(at: 0) } }
        if source != .pair {
            #expect {
                try found.open()
            } throws: { error in
                if case .gone? = error as? SensorFailure { true } else { false }
            }
        }
    }

    @Test func `A sensor that failed is tried last, and first again when the other one fails too`() {
        let sensors = ["iio:device3", "iio:device1"].map { SensorDescription(.hinge, id: $0, name: "", method: "") }
        func choice(_ failed: [String]) -> String? {
            let failures = failed.map { (SensorID(kind: .hinge, id: $0), "no reliable lid angle") }
            return sensors.chosen(Dictionary(uniqueKeysWithValues: failures)).first(where: \.isChosen)?.id
        }
        #expect(choice([]) == "iio:device3")
        #expect(choice(["iio:device3"]) == "iio:device1")
        #expect(choice(["iio:device3", "iio:device1"]) == "iio:device3")
    }

    @Test func `A device with angles that is no lid is not listed, one without udev's properties is rejected`() throws {
        for (name, id) in [("as5600", "iio:device0"), ("hinge", "iio:device1"), ("cros-ec-lid-angle", "iio:device2")] {
            let device = "\(folder.path)/\(id)"
            try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
            // Intel's hinge has three channels.
            for (file, text) in [("name", name), ("in_angl_raw", "90"), ("in_angl0_raw", "90")] {
                try Data("\(text)\n".utf8).write(to: URL(fileURLWithPath: "\(device)/\(file)"))
            }
        }
        let listed = try HingeSensor.source(in: SysfsFolder(path: folder.path)) { _ in nil }
            .scan(HardwareFacts(processed: ["iio:device1"]))
        #expect(listed.map(\.info.id) == ["iio:device2"])
        #expect(listed.first?.info.rejection == "waiting for udev to process the device")
    }
}
