// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A machine whose devices appear, disappear and change, with a daemon in it.
final class Testbed {
    let folder: TemporaryDirectory
    let root: String
    private let program: RunningProgram
    let daemon: Int32
    private let faults: Faults
    private var hasBystander = false

    init(
        _ devices: [Machine.Device], _ arguments: [String] = [], environment: [String: String] = [:]
    ) throws {
        folder = try TemporaryDirectory()
        faults = try Faults()
        program = try RunningProgram(
            "/usr/bin/umockdev-wrapper",
            ["/usr/bin/python3", Programs.packageFolder + "/Tests/Programs/EndToEndTests/Python/testbed.py"],
            environment: environment, keepsInput: true)
        guard let root = try program.line() else { throw TestFailure("umockdev: \(program.errorText)") }
        self.root = root
        for device in devices { try Self.send(program, ["add", device.description]) }
        let words = ["--socket", folder.path + "/socket", "--state-directory", folder.path] + arguments
        let command = "\(faults.prefix) exec " + ([Programs.daemon] + words).map { "'\($0)'" }.joined(separator: " ")
        let answer = try Self.send(program, ["run", "sh", "-c", command])
        guard let daemon = Int32(answer) else { throw TestFailure("cannot start the daemon: \(answer)") }
        self.daemon = daemon
        let socket = folder.path + "/socket"
        guard eventually({ FileManager.default.fileExists(atPath: socket) }) else {
            throw TestFailure("the daemon has not created its socket: \(program.errorText)")
        }
    }

    deinit {
        // It removes its devices, once the daemon has ended.
        kill(daemon, SIGTERM)
        program.write("[\"quit\"]\n")
        _ = program.wait()
    }

    @discardableResult
    private static func send(_ program: RunningProgram, _ words: [String]) throws -> String {
        program.write(String(decoding: try JSONEncoder().encode(words), as: UTF8.self) + "\n")
        guard let answer = try program.line() else { throw TestFailure("umockdev: \(program.errorText)") }
        return answer
    }

    func plug(_ device: Machine.Device) throws {
        try faults.clear()
        try Self.send(program, ["add", device.description])
        // The kernel sends the event of the hardware monitor of a platform device.
        if device.isOnPlatform { return try changeBystander() }
        try Self.send(program, ["event", "/sys" + device.path, "add"])
    }

    /// Removes a device as the kernel does: its files disappear, open ones return ENODEV, and udev sends an event.
    func unplug(_ device: Machine.Device) throws {
        try faults.set("read", "_raw", ENODEV)
        try faults.add("read", "/light", ENODEV)
        // With its chip, which `plug` adds again.
        for path in device.isOnPlatform ? [device.path] : [device.path, device.chip] {
            try Self.send(program, ["remove", "/sys" + path])
        }
        // umockdev sends no events for absent devices: use another device.
        try changeBystander()
    }

    private func changeBystander() throws {
        if !hasBystander {
            try Self.send(program, ["add", "P: /devices/bystander\nE: SUBSYSTEM=iio\nA: name=bystander\\n\n"])
            hasBystander = true
        }
        try Self.send(program, ["event", "/sys/devices/bystander", "change"])
    }

    func change(_ device: Machine.Device, _ property: String, to value: String) throws {
        try Self.send(program, ["property", "/sys" + device.path, property, value])
        try Self.send(program, ["event", "/sys" + device.path, "change"])
    }

    /// Adds an input device with SW_TABLET_MODE in this state, with these keys.
    func plugSwitch(_ number: Int, isTablet: Bool, keys: String = "0") throws {
        let node = "/dev/input/event\(number)"
        let input = "/devices/platform/hinge\(number)/input/input\(number)"
        let event = "\(input)/event\(number)"
        // SW_TABLET_MODE is bit 1 of the existing and of the closed switches.
        let device = "P: \(input)\nE: SUBSYSTEM=input\nA: capabilities/sw=2\\n\nA: capabilities/key=\(keys)\\n\n"
        let entry = "P: \(event)\nN: input/event\(number)\nE: DEVNAME=\(node)\nE: SUBSYSTEM=input\n"
        let attributes = "E: ID_INPUT_SWITCH=1\nL: device=../../input\(number)\nA: dev=13:\(64 + number)\\n\n"
        let answers = "@DEV \(node)\nEVIOCGSW 8 0\(isTablet ? 2 : 0)00000000000000\n"
        // First: umockdev sends an event for each device that it adds, and the daemon opens the node.
        try Self.send(program, ["ioctl", node, try folder.write(answers, to: "switch\(number)")])
        try Self.send(program, ["add", "\(device)\n\(entry)\(attributes)\n"])
    }

    /// Removes the input device as the kernel does: reads of open descriptors fail. It cannot be added again.
    func unplugSwitch(_ number: Int) throws {
        try Self.send(program, ["hang up", "/dev/input/event\(number)"])
    }

    func set(_ device: Machine.Device, _ name: String, to value: String) throws {
        try Machine.write(value, to: "\(root)/sys\(device.path)/\(name)")
    }

    /// Sets a fault; see ``Faults/set(_:_:_:)``.
    func setFault(_ call: String, _ file: String, _ code: Int32) throws {
        try faults.set(call, file, code)
    }

    func clearFaults() throws {
        try faults.clear()
    }

    /// The daemon's log.
    var log: String { program.errorText }

    func tool(_ arguments: String...) throws -> RunningProgram {
        try RunningProgram(Programs.tool, toolOptions(folder.path + "/socket", for: arguments.first) + arguments)
    }

    /// Subscribes to the state, and reads until this orientation.
    func watch(until orientation: String) throws -> RunningProgram {
        let watch = try tool("watch", "--json")
        _ = try watch.states(until: orientation)
        return watch
    }
}
