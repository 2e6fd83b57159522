// SPDX-License-Identifier: Apache-2.0

import Foundation
import SeededRandomness
import TestSupport
import Testing

/// Whole machines with two to five sensors, panels and tablet switches: the daemon, `sensors` and `doctor` agree.
@Suite(.serialized) struct DrawnMachineTests {
    private struct DrawnMachine {
        var devices: [Machine.Device] = []
        var inputs: [Machine.InputDevice] = []
        var displays: [Machine.Display] = []
        var chassis: Int?
        /// The sensors that the daemon must not choose by itself.
        var removable: Set<String> = []

        init(seed: UInt64) {
            var generator = SeededGenerator(seed: seed)
            chassis = generator.draw([nil, 10, 31])
            for number in 0..<generator.draw([2, 3, 4, 5]) {
                let usb = generator.draw([
                    nil, nil, "fixed", "removable", "unknown",
                ]).map {
                    Machine.USBDevice(name: "2-\(number + 1)", removable: $0, hasVideo: generator.draw([false, true]))
                }
                let location = generator.draw([nil, nil, "display", "base"])
                let isRemovable = usb.map { $0.removable != "fixed" || $0.hasVideo } ?? false
                if generator.draw([true, true, false]) {
                    var device = Machine.Device.upright
                    device.number = number
                    device.usb = usb
                    device.properties = location.map { ["ACCEL_LOCATION": $0] } ?? [:]
                    device.attributes["label"] = generator.draw([nil, nil, "accel-display", "accel-base"])
                    devices.append(device)
                    if isRemovable, location == nil { removable.insert("iio:device\(number)") }
                } else {
                    var input = Machine.InputDevice()
                    input.number = number
                    input.name = generator.draw(["Motion Sensors", "ST LIS3LV02DL Accelerometer"])
                    input.usb = usb
                    input.bus = usb == nil ? "0019" : "0003"
                    input.siblingKeys = generator.draw([nil, "7cdb000000000000 0 0 0 0"])
                    input.properties["ACCEL_LOCATION"] = location
                    inputs.append(input)
                    if isRemovable, location == nil { removable.insert("event\(number)") }
                }
            }
            displays = generator.draw([[], [.init(name: "eDP-1", modes: ["1920x1080"])]])
        }
    }

    private struct Listed: Decodable {
        let id: String
        let chosen: Bool
        let why: String
    }

    private func sensors(of daemon: RunningDaemon) throws -> [Listed] {
        let list = try daemon.runTool("sensors", "--json").output.joined()
        return try JSONDecoder().decode([Listed].self, from: Data(list.utf8))
    }

    private func start(_ machine: DrawnMachine, _ sensor: String) throws -> RunningDaemon {
        try RunningDaemon(
            ["--sensor", sensor], devices: machine.devices, displays: machine.displays, inputs: machine.inputs,
            chassis: machine.chassis)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `daemon, sensors and doctor agree about a drawn machine`(seed: UInt64) throws {
        let machine = DrawnMachine(seed: seed)
        let daemon = try start(machine, "auto")
        let listed = try sensors(of: daemon)
        let findings = try ExaminedMachine(machine.devices, inputs: machine.inputs, chassis: machine.chassis).examine()
            .findings.filter { $0.check == "devices" }
        #expect(listed.count == machine.devices.count + machine.inputs.count)
        #expect(listed.count(where: \.chosen) <= 1)
        for sensor in listed {
            #expect(!sensor.chosen || !machine.removable.contains(sensor.id), "\(sensor)")
            let finding = try #require(findings.first { $0.summary.hasPrefix("\(sensor.id) ") }, "\(findings)")
            // The detail is the reason of a rejection.
            let isRejected = finding.detail != nil
            #expect(!isRejected || !sensor.chosen)
            if let reason = finding.detail { #expect(sensor.why.hasPrefix(reason), "\(sensor), \(finding)") }
            if machine.removable.contains(sensor.id) { #expect(isRejected, "\(finding)") }
        }
        let isAnyUsable = findings.contains { $0.summary.contains("is an accelerometer") && $0.detail == nil }
        #expect(listed.contains(where: \.chosen) == isAnyUsable)
        if !isAnyUsable { #expect(findings.last?.level == "problem") }

        let id = try #require(listed.last?.id)
        let requested = try start(machine, id.hasPrefix("event") ? "evdev:\(id)" : id)
        #expect(try sensors(of: requested).first { $0.id == id }?.why.hasPrefix("requested as") == true)
    }

    @Test(arguments: [[false, true], [true, false], [false, false]])
    func `the device is a tablet while one of its switches is closed, also on a node with keys`(states: [Bool]) throws {
        let inputs = states.enumerated().map { number, isTablet in
            var input = Machine.InputDevice()
            (input.number, input.name, input.isTablet) = (number + 16, "ThinkPad Extra Buttons", isTablet)
            (input.keys, input.properties) = ("10 0 0 1c00 0 0 2 118000 0 0", ["ID_INPUT_SWITCH": "1"])
            return input
        }
        let daemon = try RunningDaemon(["--sensor", "fake:"], devices: [], inputs: inputs)
        let nodes = try inputs.map { try Machine.InputEvents(try #require(daemon.machine), $0) }
        let watch = try daemon.tool("watch", "--json")
        #expect(try watch.state { $0.tabletMode != nil }.tabletMode == states.contains(true))
        withExtendedLifetime(nodes) {}
    }
}

extension SeededGenerator {
    fileprivate mutating func draw<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &self)]
    }
}
