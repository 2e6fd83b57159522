// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestSupport
import Testing

@testable import Sensors

/// The sensors of an IIO device, with a folder instead of sysfs.
@Suite struct AttributeSensorTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func sensors(
        _ attributes: [String: String], _ facts: HardwareFacts = HardwareFacts()
    ) throws -> [IIOAttributeSensors.Found] {
        for (name, text) in attributes { _ = try folder.write(text + "\n", to: name) }
        return IIOAttributeSensors.sensors(of: "iio:device1", in: SysfsFolder(path: folder.path), facts)
    }

    private func reading(_ attributes: [String: String]) throws -> AmbientReading? {
        let found = try #require(try sensors(attributes).first)
        return try PolledSensor(found).read(at: 0)
    }

    @Test(
        arguments: [
            (["in_illuminance_input": "10.5", "in_illuminance_raw": "7", "in_illuminance_scale": "2"], 10.5),
            (["in_illuminance_raw": "7", "in_illuminance_scale": "2", "in_illuminance_offset": "-1"], 12),
            (["in_illuminance0_raw": "7", "in_illuminance0_scale": "3"], 21),
            (["in_illuminance0_input": "8"], 8), (["in_illuminance_raw": "7"], 7),
            (["in_illuminance_raw": "7", "in_illuminance_scale": "0"], 7),
            (["in_illuminance_raw": "7", "in_illuminance_scale": "-2"], 7),
            (["in_intensity_both_raw": "700", "in_intensity_scale": "0.1"], 70),
            (["in_illuminance_clear_raw": "5", "in_illuminance_scale": "2"], 10),
            // The scale of separate intensities is a gain.
            (["in_intensity_clear_raw": "5", "in_intensity_scale": "64"], 5),
            (["in_illuminance_raw": "-3"], 0),
        ] as [([String: String], Double)])
    func `light is processed or converted by scale and offset`(attributes: [String: String], lux: Double) throws {
        #expect(try reading(attributes) == .light(lux, .lux))
    }

    @Test func `a light sensor that repeats a value is left alone for 6 s, at once if the first value is 0`() throws {
        func pauses(_ raw: String, _ times: [Double]) throws -> [Double] {
            let found = try #require(try sensors(["in_illuminance_raw": raw]).first)
            let sensor = try PolledSensor(found)
            return try times.map { time in
                guard case .sample(_, then: .pause(let seconds)) = try sensor.next(at: time) else { return -1 }
                return seconds
            }
        }
        #expect(try pauses("0", [0, 6, 7, 35, 36, 37]) == [6, 0.8, 0.8, 0.8, 6, 0.8])
        #expect(try pauses("7", [0, 1, 29, 30, 36, 37]) == [0.8, 0.8, 0.8, 6, 0.8, 0.8])
        var pause = LightPause()
        #expect([(7, 0), (8, 29), (8, 30), (8, 59)].map { pause.record($0, at: $1) } == [nil, nil, nil, 6])
    }

    @Test(arguments: ["garbage", "-0.5", "0", "nan", "0x10", ""])
    func `an invalid scale or offset is a warning of the sensor`(text: String) throws {
        let attributes = ["in_illuminance_raw": "7", "in_illuminance_scale": text]
        let info = try #require(try sensors(attributes).first?.info)
        #expect(info.warnings == ["in_illuminance_scale: invalid value '\(text)': using 1"])
        #expect([info].chosen([:]).first?.why == "\(info.method ?? ""); \(info.warnings[0])")
        #expect(try reading([:]) == .light(7, .lux))
        let offset = try sensors(["in_illuminance_scale": "2", "in_illuminance_offset": "x"]).first?.info
        #expect(offset?.warnings == ["in_illuminance_offset: invalid value 'x': using 0"])
    }

    @Test func `an invalid scale of a channel is replaced by the scale of its kind`() throws {
        let scales = ["in_illuminance0_scale": "x", "in_illuminance_scale": "0.5"]
        let info = try sensors(["in_illuminance0_raw": "8"].merging(scales) { $1 }).first?.info
        #expect(info?.warnings == ["in_illuminance0_scale: invalid value 'x': using 0.5"])
        #expect(try reading([:]) == .light(4, .lux))
    }

    @Test func `a level over 1e9 lux is a failure, also in a scan`() throws {
        let attributes = ["in_illuminance_raw": "1000000", "in_illuminance_scale": "1001"]
        #expect(throws: SensorFailure.self) { try reading(attributes) }
        let convert = try #require(try sensors(attributes).first?.conversion.ofScans)
        #expect(convert(1_000_000) == nil && convert(0) == .light(0, .lux))
        #expect(try reading(["in_illuminance_scale": "1000"]) == .light(1e9, .lux))
        #expect(throws: SensorFailure.self) { try reading(["in_illuminance_input": "1000000001"]) }
    }

    @Test func `a heading is scaled to degrees`() throws {
        let attributes = ["in_rot_from_north_magnetic_tilt_comp_raw": "4500", "in_rot_scale": "0.1"]
        #expect(try reading(attributes) == .compass(90))
    }

    private static let unknownLevel =
        "the level of a near object is unknown: set the udev property PROXIMITY_NEAR_LEVEL"

    /// The level in udev and that of the device, the resulting one, and the rejection.
    private static let levels: [(String?, String?, Double, String?)] = {
        let invalid = ["", "near", "-5", "0", "nan", "inf"]
        let valid: [(String?, String?, Double, String?)] = [
            (nil, "100", 100, nil), ("50", "100", 50, nil), (nil, nil, 0, unknownLevel),
        ]
        return valid + invalid.map { ($0, "50", 50, nil) }
            + invalid.map {
                ($0, nil, 0, "udev PROXIMITY_NEAR_LEVEL: invalid value '\($0)': must be a number greater than 0")
            }
    }()

    @Test(arguments: levels)
    func `the level of a near object is a valid one of udev, else that of the device`(
        udev: String?, device: String?, level: Double, rejection: String?
    ) throws {
        var attributes = ["in_proximity0_raw": "60"]
        attributes["in_proximity_nearlevel"] = device
        let facts = HardwareFacts(properties: udev.map { ["iio:device1": [.nearLevel: $0]] } ?? [:])
        let found = try #require(try sensors(attributes, facts).first)
        #expect(found.info.rejection == rejection)
        guard case .proximity(let threshold) = found.conversion else { throw TestFailure("not a proximity sensor") }
        #expect(threshold.nearLevel == level)
        if level == 100 { #expect(try reading(attributes) == .proximity(isNear: false)) }
    }

    @Test func `a device that udev has not processed is rejected until then`() throws {
        let found = try sensors(["in_illuminance_raw": "60"], HardwareFacts(processed: []))
        #expect(found.first?.info.rejection == "waiting for udev to process the device")
    }

    @Test func `a device has one sensor of each kind`() throws {
        let found = try sensors([
            "name": "hub", "in_illuminance_raw": "1", "in_intensity_both_raw": "1", "in_proximity_raw": "1",
            "in_proximity_nearlevel": "5",
        ])
        #expect(found.map(\.info.kind) == [.light, .proximity])
        #expect(found.first?.info.name == "hub")
    }

    @Test func `an invalid value is a failure, and a removed device is reported as removed`() throws {
        let found = try #require(try sensors(["in_illuminance_raw": "x"]).first)
        let read = { (attribute: String) throws(SensorFailure) in
            try PolledSensor(
                .init(
                    info: found.info, folder: found.folder, attribute: attribute, conversion: found.conversion,
                    interval: found.interval)
            ).read(at: 0)
        }
        #expect(
            throws: SensorFailure.failed("iio:device1: in_illuminance_raw: invalid value 'x': must be a number")
        ) { try read("in_illuminance_raw") }
        #expect(
            throws: SensorFailure.gone("iio:device1: cannot open in_other_raw: No such file or directory")
        ) { try read("in_other_raw") }
    }

    @Test(arguments: ["in_illuminance_scale", "in_illuminance_offset", "integration_time", "in_proximity_nearlevel"])
    func `a constant that cannot be read is a failure of its sensor, not an absent constant`(name: String) throws {
        // Reading a folder fails with EISDIR.
        try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
        let found = try sensors(["in_illuminance_raw": "7", "in_proximity_raw": "1"])
        let failures = found.map { $0.failed.failure?.description }
        // Failures name the folder of the device.
        let id = folder.path.split(separator: "/").last ?? ""
        let reason = "\(id): cannot read \(name): Is a directory"
        #expect(failures == (name.contains("nearlevel") ? [nil, reason] : [reason, nil]))
        // The kind is retried, unlike one without a sensor.
        #expect(found.first { $0.failed.failure != nil }?.info.rejection == nil)
    }

    @Test func `a chip with other sensors is not captured, because they could not be read meanwhile`() throws {
        let light = ["in_intensity_both_raw": "1", "scan_elements/in_intensity_both_en": "0"]
        try FileManager.default.createDirectory(
            atPath: folder.path("scan_elements"), withIntermediateDirectories: true)
        let alone = try #require(try sensors(light).first)
        #expect(alone.scanChannel == "intensity_both" && alone.channel == "intensity_both")
        let both = try sensors(["in_proximity_raw": "1"])
        #expect(both.map(\.info.kind) == [.light, .proximity] && both.allSatisfy { $0.scanChannel == nil })
        #expect(both.last?.channel == "proximity")
    }

    @Test func `a chip that integrates for longer is read less often`() throws {
        let found = try sensors(["in_illuminance_input": "1", "integration_time": "1.5"])
        #expect(found.first?.interval == 1.5)
        #expect(try sensors(["integration_time": "0.1"]).first?.interval == IIOAttributeSensors.lightInterval)
    }

    @Test(
        arguments: [
            ("applesmc", "(128,64)", true), ("applesmc", "", true), ("applesmc", "(-1,0)", true),
            ("other", "(128,64)", true), ("other", "on", false), ("applesmc", nil, false),
        ] as [(String, String?, Bool)])
    func `applesmc is listed while its value is invalid, another device only with a valid one`(
        name: String, light: String?, isListed: Bool
    ) throws {
        try FileManager.default.createDirectory(atPath: folder.path("device"), withIntermediateDirectories: true)
        _ = try folder.write(name + "\n", to: "device/name")
        if let light { _ = try folder.write(light + "\n", to: "device/light") }
        let devices = try PlatformLight.devices(in: [SysfsFolder(path: folder.path)])
        #expect(devices.map(\.id) == (isListed ? ["device"] : []))
    }
}
