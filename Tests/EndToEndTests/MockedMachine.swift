// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A machine whose devices come, go and change, with a daemon in it.
final class MockedMachine {
    let folder: TemporaryFolder
    let root: String
    private let program: RunningProgram
    let daemon: Int32
    private let faults: Faults
    private var hasBystander = false

    init(_ devices: [Machine.Device], _ arguments: [String] = [], environment: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        faults = try Faults()
        program = try RunningProgram(
            "/usr/bin/umockdev-wrapper",
            ["/usr/bin/python3", Programs.packageFolder + "/Tests/EndToEndTests/Python/testbed.py"],
            environment: environment, keepsInput: true)
        guard let root = try program.line() else { throw Surprise("umockdev: \(program.errorText)") }
        self.root = root
        for device in devices { try Self.tell(program, ["add", device.description]) }
        let words = ["--socket", folder.path + "/socket", "--state-directory", folder.path] + arguments
        let command = "\(faults.prefix) exec " + ([Programs.daemon] + words).map { "'\($0)'" }.joined(separator: " ")
        let answer = try Self.tell(program, ["run", "sh", "-c", command])
        guard let daemon = Int32(answer) else { throw Surprise("the daemon does not start: \(answer)") }
        self.daemon = daemon
        let socket = folder.path + "/socket"
        guard eventually({ FileManager.default.fileExists(atPath: socket) }) else {
            throw Surprise("the daemon does not listen: \(program.errorText)")
        }
    }

    deinit {
        kill(daemon, SIGTERM)
        program.write("[\"quit\"]\n")
    }

    @discardableResult
    private static func tell(_ program: RunningProgram, _ words: [String]) throws -> String {
        program.write(String(decoding: try JSONEncoder().encode(words), as: UTF8.self) + "\n")
        guard let answer = try program.line() else { throw Surprise("umockdev: \(program.errorText)") }
        return answer
    }

    func plug(_ device: Machine.Device) throws {
        try faults.clear()
        try Self.tell(program, ["add", device.description])
        try Self.tell(program, ["event", "/sys" + device.path, "add"])
    }

    /// As the kernel does it: the files go, those that are still open answer that the device has gone, and then udev says so.
    func unplug(_ device: Machine.Device) throws {
        try faults.set("read", "_raw", ENODEV)
        // With its chip, which it brings again when it is plugged in.
        for path in [device.path, device.chip] { try Self.tell(program, ["remove", "/sys" + path]) }
        // umockdev has no event for a device that is not there: another one's has to do.
        if !hasBystander {
            try Self.tell(program, ["add", "P: /devices/bystander\nE: SUBSYSTEM=iio\nA: name=bystander\\n\n"])
            hasBystander = true
        }
        try Self.tell(program, ["event", "/sys/devices/bystander", "change"])
    }

    func change(_ device: Machine.Device, _ property: String, to value: String) throws {
        try Self.tell(program, ["property", "/sys" + device.path, property, value])
        try Self.tell(program, ["event", "/sys" + device.path, "change"])
    }

    /// An event node with switches comes, which says of itself what udev's `properties` say, and that it is folded to a
    /// tablet or not.
    func plugSwitch(_ number: Int, isTablet: Bool, properties: [String]) throws {
        let node = "/dev/input/event\(number)"
        let path = "/devices/platform/hinge\(number)/input/input\(number)/event\(number)"
        let facts = (["DEVNAME=\(node)", "SUBSYSTEM=input"] + properties).map { "E: \($0)\n" }.joined()
        try Self.tell(program, ["add", "P: \(path)\nN: input/event\(number)\n\(facts)A: dev=13:\(64 + number)\\n\n"])
        // SW_TABLET_MODE is bit 1, of the switches that there are and of those that are closed.
        let answers = "@DEV \(node)\nEVIOCGBIT(5) 8 0200000000000000\nEVIOCGSW 8 0\(isTablet ? 2 : 0)00000000000000\n"
        try Self.tell(program, ["ioctl", node, try folder.write(answers, to: "switch\(number)")])
        try Self.tell(program, ["event", "/sys" + path, "add"])
    }

    /// It goes, as the kernel does it: whoever has it open can read no more. It does not come back.
    func unplugSwitch(_ number: Int) throws {
        try Self.tell(program, ["hang up", "/dev/input/event\(number)"])
    }

    func set(_ device: Machine.Device, _ name: String, to value: String) throws {
        try Machine.write(value, to: "\(root)/sys\(device.path)/\(name)")
    }

    /// From now on this call for files whose names end so is answered with this errno; see ``Faults``.
    func refuse(_ call: String, _ file: String, _ code: Int32) throws {
        try faults.set(call, file, code)
    }

    func refuseNothing() throws {
        try faults.clear()
    }

    func tool(_ arguments: String...) throws -> RunningProgram {
        try RunningProgram(Programs.tool, ["--socket", folder.path + "/socket"] + arguments)
    }
}
