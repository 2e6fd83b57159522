// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestSupport
import Testing

/// The daemon, `sensors` and `doctor` over one table of facts: each row is a sensor, and all are in one machine.
@Suite(.serialized) struct SensorKnowledgeTests {
    /// A sensor, and what follows from its facts.
    private struct Row {
        var attributes: [String: String] = [:]
        var properties: [String: String] = [:]
        var driver = "kxcjk1013"
        var location = "display"
        var matrixSource = "default"
        /// The z component in the device frame: the chip lies on its back.
        var z = 9.8
        /// The property or attribute that is refused.
        var refused: String?
    }

    private static let matrix = "-1, 0, 0; 0, -1, 0; 0, 0, -1"

    private static let rows = [
        Row(),
        Row(properties: ["ACCEL_MOUNT_MATRIX": matrix], matrixSource: "udev ACCEL_MOUNT_MATRIX"),
        Row(attributes: ["mount_matrix": matrix], matrixSource: "mount_matrix"),
        Row(attributes: ["in_accel_mount_matrix": matrix], matrixSource: "in_accel_mount_matrix"),
        Row(attributes: ["in_mount_matrix": matrix], matrixSource: "in_mount_matrix"),
        Row(
            attributes: ["mount_matrix": matrix], properties: ["ACCEL_MOUNT_MATRIX": "oops"],
            matrixSource: "mount_matrix", refused: "ACCEL_MOUNT_MATRIX"),
        Row(attributes: ["label": "accel-display"]),
        Row(attributes: ["label": "lid-accel"], location: "lid"),
        Row(attributes: ["label": "accel-base"], location: "base"),
        Row(attributes: ["label": "accel-camera"], location: "camera"),
        Row(attributes: ["label": "accel-palmrest"], location: "base"),
        Row(attributes: ["location": "base"], location: "base"),
        Row(attributes: ["label": "accel-base"], properties: ["ACCEL_LOCATION": "display"]),
        Row(
            attributes: ["label": "accel-base"], properties: ["ACCEL_LOCATION": "camera"], location: "base",
            refused: "ACCEL_LOCATION"),
        Row(driver: "hid_sensor_accel_3d", z: -9.8),
        Row(attributes: ["name": "accel_3d"], z: -9.8),
        Row(properties: ["ORIENTATIOND_FACE_SIGN": "-1"], z: -9.8),
        Row(properties: ["ORIENTATIOND_FACE_SIGN": "up"], refused: "ORIENTATIOND_FACE_SIGN"),
        Row(properties: ["ORIENTATIOND_NATURAL_ORIENTATION": "upright"], refused: "ORIENTATIOND_NATURAL_ORIENTATION"),
        Row(properties: ["ORIENTATIOND_BUFFER": "never"], refused: "ORIENTATIOND_BUFFER"),
    ]

    private static let devices = rows.enumerated().map { number, row in
        Machine.Device(
            number: number, driver: row.driver,
            attributes: [
                "name": "chip", "in_accel_x_raw": "0", "in_accel_y_raw": "0", "in_accel_z_raw": "196",
                "in_accel_scale": "0.05",
            ].merging(row.attributes) { $1 },
            properties: row.properties)
    }

    private struct Listed: Decodable {
        let id: String
        let location: String
        let why: String
        let matrixSource: String
        let warnings: [String]
    }

    private func sensors(of daemon: RunningDaemon) throws -> [Listed] {
        let list = try daemon.runTool("sensors", "--json").output.joined()
        return try JSONDecoder().decode([Listed].self, from: Data(list.utf8))
    }

    @Test func `the daemon and the doctor draw the same conclusions from the same facts`() throws {
        let daemon = try RunningDaemon([], devices: Self.devices)
        let sensors = try sensors(of: daemon)
        let findings = try ExaminedMachine(Self.devices).examine().findings
        #expect(sensors.count == Self.rows.count)
        for (number, row) in Self.rows.enumerated() {
            let id = "iio:device\(number) "
            let sensor = try #require(sensors.first { "\($0.id) " == id })
            let about = findings.filter { $0.summary.contains(id) }
            let isUsed = ["display", "lid"].contains(row.location)

            #expect(sensor.location == row.location)
            #expect(sensor.why.hasPrefix("in the \(row.location), not in the display") == !isUsed, "\(sensor)")
            let device = about.first { $0.check == "devices" }
            #expect(device?.summary.hasSuffix("in the \(row.location)") == true, "\(row)")
            // The doctor examines the sensors that the daemon can choose.
            let reading = about.first { $0.check == "reading" }
            #expect((reading != nil) == isUsed)

            #expect(sensor.matrixSource == row.matrixSource)
            let statement = row.matrixSource == "default" ? "has no mount matrix" : "from \(row.matrixSource),"
            let isFound = about.contains { $0.check == "matrix" && $0.summary.contains(statement) }
            #expect(isFound == isUsed, "\(row)")

            #expect(sensor.why.contains("towards the ground (HID hub)") == (row.z < 0 && row.properties.isEmpty))
            if isUsed { #expect(reading?.summary.contains("reads 0, 0, \(row.z) m/s²") == true, "\(row)") }

            #expect(sensor.warnings.map { $0.contains(row.refused ?? "-") } == (row.refused == nil ? [] : [true]))
            let refusals = about.filter { $0.summary.contains("is invalid") && $0.level == "problem" }
            #expect(refusals.map { $0.summary.contains(row.refused ?? "-") } == (row.refused == nil ? [] : [true]))
        }
    }

    @Test func `the daemon and the doctor reject the same input devices, for the same reasons`() throws {
        let changes: [(change: (inout Machine.InputDevice) -> Void, reason: String?)] = [
            ({ _ in }, nil), ({ $0.keys = "1000 40000000" }, "has keys or buttons"),
            ({ $0.bus = "0003" }, "part of a game controller"),
            ({ $0.siblingKeys = "7fdb 0" }, "part of 'test gamepad'"),
            ({ $0.properties["ACCEL_LOCATION"] = "base" }, "in the base, not in the display"),
        ]
        let inputs = changes.enumerated().map { number, row in
            var input = Machine.InputDevice()
            input.number = number
            row.change(&input)
            return input
        }
        let daemon = try RunningDaemon(["--sensor", "evdev"], devices: [], inputs: inputs)
        let sensors = try sensors(of: daemon)
        let findings = try ExaminedMachine([], inputs: inputs).examine().findings
        for (number, row) in changes.enumerated() {
            let sensor = try #require(sensors.first { $0.id == "event\(number)" })
            let finding = try #require(findings.first { $0.summary.hasPrefix("event\(number) (") })
            #expect((finding.level == "ok") == (row.reason == nil))
            guard let reason = row.reason else { continue }
            #expect(sensor.why.hasPrefix(reason), "\(sensor)")
            #expect(finding.detail.map(sensor.why.hasPrefix) == true, "\(finding)")
        }
    }
}
