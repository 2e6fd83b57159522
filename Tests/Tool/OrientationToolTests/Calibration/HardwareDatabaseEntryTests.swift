// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestSupport
import Testing

@testable import OrientationTool

/// Checks the entries with systemd-hwdb.
@Suite struct HardwareDatabaseEntryTests {
    private let dmi = """
        dmi:bvnLENOVO:bvrR0XET40W(1.22):bd06/09/2021:br1.22:efr1.17:svnLENOVO:pn20Y1CTO1WW:pvrThinkPadX12[Gen1]:rvnLENOVO:\
        rn20Y1CTO1WW:rvrSDK0T76461WIN:cvnLENOVO:ct10:cvrNone:skuLENOVO_MT_20Y1:
        """

    /// Returns the properties that systemd-hwdb finds for a key in a database with only this entry.
    private func query(_ entry: HardwareDatabaseEntry, _ key: String) throws -> [String] {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.path("etc/udev/hwdb.d"), withIntermediateDirectories: true)
        try directory.write(entry.text, to: "etc/udev/hwdb.d/61-test.hwdb")
        try run(["--root", directory.path, "--strict", "update"])
        return try run(["--root", directory.path, "query", key]).sorted()
    }

    @discardableResult
    private func run(_ arguments: [String]) throws -> [String] {
        let run = try RunningProgram.run("/usr/bin/systemd-hwdb", arguments)
        #expect(run.status == 0, "\(arguments)")
        return run.output
    }

    /// Returns the text with udev's replacement of characters.
    private func asUdev(_ text: String) -> String {
        String(text.map { $0.isLetter || $0.isNumber || "#+-.:=@_/ $%?,".contains($0) ? $0 : "_" })
    }

    private func entry(_ match: SensorMatch, faceSign: Int? = nil) throws -> HardwareDatabaseEntry {
        HardwareDatabaseEntry(
            pattern: match.pattern, matrix: try MountMatrix(parsing: "0, 1, 0; -1, 0, 0; 0.6, 0, 0.8"),
            faceSign: faceSign)
    }

    @Test func `a machine with DMI matches by its model, also after a firmware update`() throws {
        let match = SensorMatch(label: nil, modalias: "acpi:KIOX010A:KIOX010A:", dmi: dmi)
        #expect(
            match.pattern
                == "sensor:modalias:acpi:KIOX010A:KIOX010A::dmi:*:svnLENOVO:pn20Y1CTO1WW:pvrThinkPadX12?Gen1?:rvnLENOVO:rn20Y1CTO1WW:*"
        )
        let entry = try entry(match, faceSign: -1)
        let expected = ["ACCEL_MOUNT_MATRIX=0, 1, 0; -1, 0, 0; 0.6, 0, 0.8", "ORIENTATIOND_FACE_SIGN=-1"]
        #expect(try query(entry, "sensor:modalias:acpi:KIOX010A:KIOX010A::" + asUdev(dmi)) == expected)
        let updated = dmi.replacing("R0XET40W(1.22):bd06/09/2021", with: "R0XET41W(1.23):bd01/01/2024")
        #expect(try query(entry, "sensor:modalias:acpi:KIOX010A:KIOX010A::" + asUdev(updated)) == expected)
        let other = dmi.replacing("20Y1", with: "20Z2")
        #expect(try query(entry, "sensor:modalias:acpi:KIOX010A:KIOX010A::" + asUdev(other)).isEmpty)
        #expect(try query(entry, "sensor:modalias:acpi:BOSC0200:BOSC0200::" + asUdev(dmi)).isEmpty)
    }

    @Test func `one of two sensors of a machine matches by its label`() throws {
        let match = SensorMatch(label: "accel-display", modalias: "acpi:DUAL250E:", dmi: dmi)
        let entry = try entry(match)
        #expect(try query(entry, "sensor:accel-display:modalias:acpi:DUAL250E::" + asUdev(dmi)).count == 1)
        #expect(try query(entry, "sensor:accel-base:modalias:acpi:DUAL250E::" + asUdev(dmi)).isEmpty)
    }

    @Test func `a device-tree machine matches by the modalias of the sensor`() throws {
        let match = SensorMatch(label: nil, modalias: "of:NaccelerometerT(null)Csilan,sc7a20", dmi: nil)
        let entry = try entry(match)
        #expect(match.pattern == "sensor:modalias:of:NaccelerometerT?null?Csilan,sc7a20:*")
        #expect(try query(entry, "sensor:modalias:of:NaccelerometerT_null_Csilan,sc7a20:").count == 1)
    }

    @Test func `the entry of a sensor core is a rule`() {
        let entry = HardwareDatabaseEntry(
            pattern: SensorCore.rulePattern, matrix: .identity, faceSign: -1)
        let rule =
            #"SUBSYSTEM=="misc", KERNEL=="fastrpc-[as]dsp*", ENV{ACCEL_MOUNT_MATRIX}="1, 0, 0; 0, 1, 0; 0, 0, 1", "#
            + #"ENV{ORIENTATIOND_FACE_SIGN}="-1""#
        #expect(entry.isRule && entry.lines == [rule])
    }
}
