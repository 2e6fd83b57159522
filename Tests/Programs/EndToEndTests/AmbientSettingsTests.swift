// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

extension SensorProxyTests {
    /// The settings of ambient sensors: what the daemon changes while they are claimed, and restores afterwards.
    @Suite struct AmbientSettingsTests {
        private let bus: PrivateBus
        private let hub = Machine.Device.ambientHub
        private let capturing = Machine.Device.capturingHub

        init() throws { bus = try PrivateBus() }

        @Test func `light is captured from the buffer while it is claimed, and the buffer is stopped afterwards`()
            throws
        {
            let daemon = try bus.daemon(devices: [capturing])
            let machine = try #require(daemon.machine)
            let scans = try Scans(machine, capturing)
            let claimant = try bus.desktop(seeing: "HasAmbientLight")
            #expect(try claimant.firstReading("call", "ClaimLight") == ["LightLevel": "10"])
            #expect(try machine.value(capturing, "buffer/enable") == "1")
            #expect(try machine.value(capturing, "in_illuminance_sampling_frequency") == "2")
            let record = daemon.folder.path + "/restore-record-light"
            #expect(FileManager.default.fileExists(atPath: record))
            // The attribute, which is read after 5 s without a scan, still has the first value.
            try scans.write(600)
            #expect(try claimant.changes("LightLevel", from: "10", to: "300"))
            try scans.write(40)
            #expect(try claimant.changes("LightLevel", from: "10", to: "20"))
            #expect(try claimant.request("call", "ReleaseLight") == [.answer("done")])
            #expect(try eventually { try machine.value(capturing, "buffer/enable") == "0" })
            #expect(try eventually { try machine.value(capturing, "in_illuminance_sampling_frequency") == "0" })
            #expect(eventually { !FileManager.default.fileExists(atPath: record) })
        }

        private func hasRecords(in folder: TemporaryDirectory) throws -> Bool {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { $0.hasPrefix("restore-record") }
        }

        @Test func `two sensors share a raised frequency, which is restored when the last one is released`() throws {
            var slow = hub
            slow.attributes["sampling_frequency"] = "1.95"
            let daemon = try bus.daemon(devices: [slow])
            let machine = try #require(daemon.machine)
            let claimant = try bus.desktop(seeing: "HasProximity")
            let frequency = { try machine.value(slow, "sampling_frequency") }
            #expect(try claimant.firstReading("call", "ClaimLight") == ["LightLevel": "10"])
            #expect(try frequency() == "10")
            #expect(try claimant.request("call", "ClaimProximity") == [.answer("done")])
            #expect(try claimant.request("call", "ReleaseLight") == [.answer("done")])
            // A scan runs on the same thread: the light sensor is released before it.
            _ = try daemon.runTool("sensors", "--ambient")
            #expect(try frequency() == "10")
            #expect(try claimant.request("call", "ClaimLight").last == .answer("done"))
            #expect(try claimant.request("call", "ReleaseProximity") == [.answer("done")])
            _ = try daemon.runTool("sensors", "--ambient")
            #expect(try frequency() == "10")
            #expect(try claimant.request("call", "ReleaseLight") == [.answer("done")])
            #expect(try eventually { try frequency() == "1.95" })
            #expect(try eventually { try !hasRecords(in: daemon.folder) })
        }

        @Test(arguments: ["auto", "fake:"])
        func `a start after SIGKILL restores the buffers and frequencies of light and compass`(sensor: String) throws {
            var compass = capturing
            compass.number = 1
            compass.attributes = compass.attributes.filter { !$0.key.contains("illuminance") }
            compass.trigger = "north-dev1"
            let channel = "in_rot_from_north_magnetic_tilt_comp"
            compass.attributes.merge(
                [
                    "name": "north", "\(channel)_raw": "900", "in_rot_scale": "0.1", "sampling_frequency": "100",
                    "scan_elements/\(channel)_en": "0", "scan_elements/\(channel)_index": "0",
                    "scan_elements/\(channel)_type": "le:u32/32>>0", "trigger/current_trigger": "",
                ]) { $1 }
            let folder = try TemporaryDirectory()
            let address = try #require(bus.environment["DBUS_SYSTEM_BUS_ADDRESS"])
            // Two runs in one emulated machine, which exists longer than the first run.
            let setting = "DBUS_SYSTEM_BUS_ADDRESS='\(address)'"
            let run = "'\(Programs.daemon)' --dbus --socket '\(folder.path)/socket' --state-directory '\(folder.path)'"
            let machine = try Machine(
                [capturing, compass], in: folder,
                running: """
                    \(setting) \(run) & echo $!; wait; echo over; read line
                    \(setting) exec \(run) --sensor \(sensor)
                    """, input: true)
            let first = try #require(try machine.program.line().flatMap { Int32($0) })
            let scans = [try Scans(machine, capturing), try Scans(machine, compass)]
            let claimant = try bus.desktop(seeing: "HasAmbientLight")
            #expect(try claimant.firstReading("call", "ClaimLight") == ["LightLevel": "10"])
            #expect(try claimant.firstReading("compass", "ClaimCompass") == ["CompassHeading": "90"])
            let settings = {
                [
                    try machine.value(capturing, "buffer/enable"), try machine.value(compass, "buffer/enable"),
                    try machine.value(capturing, "in_illuminance_sampling_frequency"),
                    try machine.value(compass, "sampling_frequency"),
                    try machine.value(capturing, "trigger/current_trigger"),
                    try machine.value(compass, "trigger/current_trigger"),
                ]
            }
            try scans[0].write(600)
            #expect(try claimant.changes("LightLevel", from: "10", to: "300"))
            try scans[1].write(1_800)
            #expect(try claimant.changes("CompassHeading", from: "90", to: "180"))
            #expect(try settings() == ["1", "1", "2", "2", "als-dev0", "north-dev1"])
            kill(first, SIGKILL)
            _ = try machine.program.lines { $0 == "over" }
            #expect(try settings() == ["1", "1", "2", "2", "als-dev0", "north-dev1"])
            try claimant.awaitOwner(false)
            machine.program.write("\n")
            #expect(try eventually { try settings() == ["0", "0", "0", "100", "als-dev0", ""] })
            #expect(try eventually { try !hasRecords(in: folder) })
        }
    }
}
