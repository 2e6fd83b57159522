// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A daemon with its own socket, which ends with this object.
final class RunningDaemon {
    let folder: TemporaryDirectory
    let socket: String
    let machine: Machine?
    let program: RunningProgram

    /// Starts the daemon, in an emulated machine if there are `devices`, and waits until it is ready.
    init(
        _ arguments: [String], devices: [Machine.Device]? = nil, displays: [Machine.Display] = [],
        inputs: [Machine.InputDevice] = [], faults: Faults? = nil, environment: [String: String] = [:]
    ) throws {
        folder = try TemporaryDirectory()
        socket = folder.path + "/socket"
        let readiness = try ReadinessSocket(path: folder.path + "/notify")
        let all = ["--socket", socket, "--state-directory", folder.path] + arguments
        if let devices {
            let words = ([Programs.daemon] + all).map { "'\($0)'" }.joined(separator: " ")
            let preload = try faults?.prefix ?? NativeLibrary.preload([NativeLibrary.umockdevSignals])
            let variables = environment.map { "\($0)='\($1)' " }.joined()
            let machine = try Machine(
                devices, displays: displays, inputs: inputs, in: folder,
                running: "\(variables)NOTIFY_SOCKET='\(folder.path)/notify' \(preload) exec \(words)")
            self.machine = machine
            program = machine.program
        } else {
            machine = nil
            program = try RunningProgram(
                Programs.daemon, all,
                environment: environment.merging(["NOTIFY_SOCKET": folder.path + "/notify"]) { $1 })
        }
        program.kept = folder
        guard try readiness.message().contains("READY=1") else { throw TestFailure("the daemon is not ready") }
    }

    /// Starts `orientationctl` with this daemon.
    func tool(_ arguments: String...) throws -> RunningProgram {
        try RunningProgram(Programs.tool, toolOptions(socket, for: arguments.first) + arguments)
    }

    /// Runs `orientationctl` with this daemon to its end.
    func runTool(_ arguments: String...) throws -> RunningProgram.Result { try runTool(arguments) }

    func runTool(_ arguments: [String]) throws -> RunningProgram.Result {
        try RunningProgram.run(Programs.tool, toolOptions(socket, for: arguments.first) + arguments)
    }

    /// Whether `watch --count 1`, which waits only 1 s for a sensor that starts, soon prints this line alone.
    func shows(_ line: String) -> Bool { eventually { (try? runTool("watch", "--count", "1").output) == [line] } }

    /// Subscribes to the state, and reads until this orientation.
    func watch(until orientation: String) throws -> RunningProgram {
        let watch = try tool("watch", "--json")
        _ = try watch.states(until: orientation)
        return watch
    }

    /// The state, once the sensor has started: a call waits only 1 s for it.
    var state: WireState {
        get throws {
            var state: WireState?
            _ = try eventually(despite: 1) {
                state = try WireState(try #require(try runTool("status", "--json").output.first))
                return state?.reason != "starting"
            }
            return try #require(state)
        }
    }

    /// The printed list of sensors.
    var sensors: String { get throws { try runTool("sensors").output.joined(separator: "\n") } }

    /// Ends the daemon, whose status is 0; returns its log.
    @discardableResult
    func end() -> String {
        program.send(SIGTERM)
        #expect(program.wait() == 0)
        return program.errorText
    }

    /// Commands the simulated device.
    func simulate(_ arguments: String...) throws {
        let run = try runTool(["simulate"] + arguments)
        guard run.status == 0 else { throw TestFailure("orientationctl simulate \(arguments): \(run.errors)") }
    }

    /// Records to a file, or to standard output, until there are samples, and interrupts the recording.
    func record(_ options: String..., to file: String = "-", samples: Int = 1) throws -> RunningProgram.Result {
        let record = try RunningProgram(Programs.tool, toolOptions(socket) + ["record", file] + options)
        var lines: [String] = []
        if file == "-" {
            while lines.count(where: \.isSample) < samples { lines += try record.lines(until: \.isSample) }
        } else if !eventually({ Self.isRecording(to: file) }) {
            throw TestFailure("orientationctl record: \(record.errorText)")
        }
        record.send(SIGINT)
        let (status, rest, errors) = try record.finish()
        guard status == 0 else { throw TestFailure("orientationctl record: \(errors)") }
        return (status, lines + rest, errors)
    }

    /// Whether a file is a recording with a sample and without its end.
    private static func isRecording(to file: String) -> Bool {
        let lines = (try? String(contentsOfFile: file, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
        return lines.last?.isSample == true
    }

    /// The names of the daemon's current threads that wait for sensors: `sensor` and `ambient`. Short calls run on
    /// other threads. Not empty if the daemon has exited: it has no threads then, and a test must not pass.
    var sensorThreads: [String] { Self.sensorThreads(of: program.identifier) }

    static func sensorThreads(of process: Int32) -> [String] {
        threads(of: process, named: ["ambient", "sensor"])
    }

    /// The names of the threads that have one of these.
    static func threads(of process: Int32, named wanted: [String]) -> [String] {
        let tasks = "/proc/\(process)/task"
        guard let threads = try? FileManager.default.contentsOfDirectory(atPath: tasks) else {
            return ["the daemon has exited"]
        }
        let names = threads.compactMap { try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8) }
        return names.map { $0.trimmingCharacters(in: .newlines) }.filter(wanted.contains).sorted()
    }
}

extension String {
    /// Whether a line of a recording is a sample.
    fileprivate var isSample: Bool { first?.isNumber == true }
}

/// The options with which `orientationctl` uses the daemon at a socket, with a timeout for busy machines.
func toolOptions(_ socket: String, for command: String? = nil) -> [String] {
    ["--socket", socket] + (command == "watch" ? [] : ["--timeout", "\(stepTimeout)"])
}

/// The receiver of sd_notify(3) messages.
private final class ReadinessSocket {
    private let descriptor: Int32

    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0 else { throw TestFailure("cannot bind \(path)") }
    }

    deinit {
        close(descriptor)
    }

    func message() throws -> String {
        var watched = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        guard poll(&watched, 1, Int32(stepTimeout * 1_000)) == 1 else {
            throw TestFailure("no READY=1 within \(Int(stepTimeout)) s")
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer[..<max(count, 0)], as: UTF8.self)
    }
}
