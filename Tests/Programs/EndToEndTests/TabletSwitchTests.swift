// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The program orientation-tablet-switch with a file in place of /dev/uinput.
@Suite struct TabletSwitchTests {
    private static let program = Programs.tabletSwitch
    private let folder: TemporaryDirectory
    private let steps: String

    init() throws {
        folder = try TemporaryDirectory()
        steps = try folder.write("", to: "uinput")
    }

    /// Starts the program beside a daemon, in a machine with these input devices.
    private func start(
        _ socket: String, inputs: [Machine.InputDevice] = [], uinput: String? = nil, after setUp: String = ""
    ) throws -> RunningProgram {
        let preload = try NativeLibrary.preload([NativeLibrary.uinput])
        let variables = "ORIENTATIOND_UINPUT='\(uinput ?? steps)' \(preload)"
        let command = "\(setUp) \(variables) exec '\(Self.program)' --socket '\(socket)'"
        return try Machine([], inputs: inputs, in: folder, running: command).program
    }

    /// Starts a daemon with a laptop that is folded to this angle, and the program beside it.
    private func startFolded(
        to angle: Int, inputs: [Machine.InputDevice] = [], uinput: String? = nil, after setUp: String = ""
    ) throws -> (daemon: RunningDaemon, program: RunningProgram) {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        try daemon.simulate("fold", "\(angle)")
        let program = try start(daemon.socket, inputs: inputs, uinput: uinput, after: setUp)
        program.kept = daemon
        return (daemon, program)
    }

    /// Whether these are soon the steps of the device.
    private func reaches(_ expected: [String]) -> Bool {
        eventually { (try? String(contentsOfFile: steps, encoding: .utf8)) == expected.map { $0 + "\n" }.joined() }
    }

    /// The process that holds the device, too.
    private func guardian(of program: RunningProgram) throws -> Int32 {
        let number = program.identifier
        let children = try String(contentsOfFile: "/proc/\(number)/task/\(number)/children", encoding: .utf8)
        return try #require(children.split(separator: " ").first.flatMap { Int32($0) })
    }

    private let created = "created orientationd tablet switch at orientation-tablet-switch"

    private func tabletInput(path: String = "intel-hid/input0") -> Machine.InputDevice {
        var input = Machine.InputDevice()
        input.name = "Intel HID switches"
        input.properties = ["ID_INPUT_SWITCH": "1"]
        input.switches = "2"
        input.physicalPath = path
        return input
    }

    @Test func `the switch follows the lid angle, and disappears when the program ends`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        let program = try start(daemon.socket)
        try daemon.simulate("fold", "90")
        #expect(reaches([created]))
        try daemon.simulate("fold", "270")
        #expect(reaches([created, "switch 1"]))
        try daemon.simulate("fold", "120")
        #expect(reaches([created, "switch 1", "switch 0"]))
        program.send(SIGTERM)
        #expect(program.wait() == 0)
        #expect(reaches([created, "switch 1", "switch 0", "removed"]))
    }

    @Test func `while the switch reports tablet, it disappears with a daemon that hangs, and returns with it`() throws {
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        try daemon.simulate("fold", "300")
        let program = try start(daemon.socket)
        #expect(reaches([created, "switch 1"]))
        daemon.program.send(SIGSTOP)
        let began = ContinuousClock.now
        #expect(reaches([created, "switch 1", "switch 0", "removed"]))
        // An answer is 5 s late: of the call before the daemon hung, or of the one 2 s later.
        #expect(ContinuousClock.now - began >= .seconds(3))
        #expect(program.errorText.contains("timed out"))
        daemon.program.send(SIGCONT)
        #expect(reaches([created, "switch 1", "switch 0", "removed", created, "switch 1"]))
    }

    @Test func `the switch of a program that is killed reports laptop, and disappears half a second later`() throws {
        let program = try startFolded(to: 270).program
        #expect(reaches([created, "switch 1"]))
        let files = "/proc/\(try guardian(of: program))/fd"
        // A copy of the daemon's socket would keep the connection open.
        #expect(eventually { (try? FileManager.default.contentsOfDirectory(atPath: files))?.count == 1 })
        let began = ContinuousClock.now
        program.send(SIGKILL)
        #expect(reaches([created, "switch 1", "switch 0", "removed"]))
        #expect(ContinuousClock.now - began >= .milliseconds(500))
    }

    /// systemd sends these to all processes of the unit: at a stop, and by the watchdog.
    @Test(arguments: [SIGTERM, SIGABRT])
    func `the switch of a program that hangs reports laptop when the unit is ended`(signal: Int32) throws {
        let program = try startFolded(to: 270).program
        #expect(reaches([created, "switch 1"]))
        program.send(SIGSTOP)
        kill(try guardian(of: program), signal)
        #expect(reaches([created, "switch 1", "switch 0"]))
        program.send(SIGKILL)
    }

    @Test func `a program whose guardian is killed reports laptop, says so and exits with a failure`() throws {
        // An ignored signal is inherited; the end of the guardian must be seen nevertheless.
        let program = try startFolded(to: 270, after: "trap '' CHLD;").program
        #expect(reaches([created, "switch 1"]))
        kill(try guardian(of: program), SIGKILL)
        #expect(program.wait() == 1)
        #expect(program.errorText.contains("the guardian of the tablet switch ended unexpectedly"))
        #expect(reaches([created, "switch 1", "switch 0", "removed"]))
    }

    @Test func `beside another tablet switch the program says so and exits with success`() throws {
        let program = try start(folder.path("none"), inputs: [tabletInput()])
        #expect(program.wait() == 0)
        #expect(program.errorText.contains("event4 (Intel HID switches) has a tablet switch: no other one is needed"))
        #expect(reaches([]))
    }

    @Test func `the program does not take its own switch for another one`() throws {
        let program = try startFolded(to: 90, inputs: [tabletInput(path: "orientation-tablet-switch")]).program
        #expect(reaches([created]))
        withExtendedLifetime(program) {}
    }

    @Test func `without /dev/uinput the program names it and what failed`() throws {
        let program = try startFolded(to: 90, uinput: folder.path("missing")).program
        #expect(program.wait() == 69)
        #expect(program.errorText.contains("/dev/uinput: cannot provide a tablet switch: No such file"))
    }

    @Test func `a tablet switch that cannot be looked for is a failure, and not its absence`() throws {
        let faults = try Faults()
        try faults.set("open", "/capabilities/sw", EMFILE)
        let program = try start(folder.path("none"), inputs: [tabletInput()], after: "export \(faults.prefix);")
        #expect(program.wait() == 1)
        #expect(program.errorText.contains("cannot look for another tablet switch: Too many open files"))
        #expect(reaches([]))
    }
}
