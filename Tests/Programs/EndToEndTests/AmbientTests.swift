// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

extension SensorProxyTests {
    /// Light, proximity and heading for desktops, over a real bus, with the real daemon.
    @Suite struct AmbientTests {
        private let bus: PrivateBus
        private let hub = Machine.Device.ambientHub

        init() throws { bus = try PrivateBus() }

        @Test func `while a read of the light hangs clients are answered, and its next value is sent`() throws {
            let faults = try Faults()
            let daemon = try bus.daemon(devices: [hub], faults: faults)
            let machine = try #require(daemon.machine)
            let claimant = try bus.desktop()
            #expect(try claimant.request("call", "ClaimLight").last == .answer("done"))
            try faults.set("read", "/in_illuminance_raw", Faults.hang)
            try machine.set(hub, "in_illuminance_raw", to: "600")
            // A list that waits for the thread is answered with the hang.
            let reason = "an ambient sensor: timed out: no response for 5 s"
            #expect(try eventually { try daemon.runTool("sensors", "--ambient").errors.contains(reason) })
            let list = try daemon.runTool("sensors", "--json")
            #expect(list.status == 0 && list.output.first == "[]" && list.errors.contains(reason))
            let report = try daemon.runTool("doctor").output.joined(separator: " ")
            #expect(report.contains("cannot list the ambient sensors") && !report.contains("did not reply"))
            #expect(try claimant.request("call", "ClaimProximity") == [.answer("done")])
            #expect(try claimant.request("get", "HasAmbientLight") == [.answer("1")])
            #expect(try daemon.runTool("status").status == 0)
            try faults.clear()
            try claimant.signal("LightLevel", "300")
            #expect(try daemon.runTool("sensors", "--ambient").status == 0)
        }

        @Test func `a switch beside volume keys reports changes of proximity, and no key is read`() throws {
            var input = Machine.InputDevice()
            input.name = "proximity"
            input.properties = ["ID_INPUT_SWITCH": "1", "ID_INPUT_KEY": "1"]
            input.keys = "c000000000000 0"
            input.proximityStates = [false, true]
            // Without EVIOCSMASK, which umockdev does not know: the switch is polled.
            let daemon = try bus.daemon(devices: [], inputs: [input])
            let claimant = try bus.desktop(seeing: "HasProximity")
            let events = try Machine.InputEvents(try #require(daemon.machine), input)
            // EV_KEY of KEY_VOLUMEUP.
            events.send(1, 115, 1)
            let unread = events.unread
            #expect(unread > 0)
            #expect(try claimant.request("call", "ClaimProximity") == [.answer("done")])
            try claimant.signal("ProximityNear", "1")
            #expect(events.unread == unread)
            let list = try daemon.runTool("sensors", "--ambient").output.joined(separator: "\n")
            #expect(list.contains("polled once a second"))
        }
    }
}

extension Machine.Device {
    /// Has three sensors; light of 0.5 lux per unit.
    static let ambientHub = Machine.Device(
        driver: "test",
        attributes: [
            "name": "als", "in_illuminance_raw": "20", "in_illuminance_scale": "0.5", "in_proximity_raw": "0",
            "in_rot_from_north_magnetic_tilt_comp_raw": "900", "in_rot_scale": "0.1",
        ],
        properties: [
            "PROXIMITY_NEAR_LEVEL": "128", "IIO_SENSOR_PROXY_TYPE": "iio-poll-als iio-poll-proximity",
        ])

    /// A hub that sends changes of the light through its buffer.
    static let capturingHub: Machine.Device = {
        var device = ambientHub
        // Sensors that share a chip are not captured.
        device.attributes = device.attributes.filter { $0.key.hasPrefix("in_illuminance") || $0.key == "name" }
        device.hasNode = true
        device.trigger = "als-dev0"
        device.attributes.merge(
            [
                "scan_elements/in_illuminance_en": "0", "scan_elements/in_illuminance_index": "0",
                "scan_elements/in_illuminance_type": "le:u32/32>>0", "buffer/enable": "0", "buffer/length": "2",
                "buffer/watermark": "1", "trigger/current_trigger": "als-dev0",
                "in_illuminance_sampling_frequency": "0",
            ]) { $1 }
        return device
    }()
}
