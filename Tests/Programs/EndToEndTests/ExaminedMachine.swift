// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A machine for `orientationctl doctor --sysroot`: umockdev's devices, and other files of a machine beside them.
final class ExaminedMachine {
    let folder: TemporaryDirectory
    private let machine: Machine
    /// The daemon's socket; no daemon listens unless a test starts one.
    var socket: String { folder.path + "/socket" }
    var root: String { machine.root }

    /// A finding in JSON.
    struct Finding: Decodable, Hashable {
        let check: String
        let level: String
        let summary: String
        let detail: String?
        let fix: String?
    }

    private struct Answer: Decodable {
        let problems: Int
        let notes: Int
        let findings: [Finding]
    }

    /// Creates a machine with these devices, udev's database of them, and the service's user and groups.
    init(_ devices: [Machine.Device]) throws {
        folder = try TemporaryDirectory()
        machine = try Machine(devices, in: folder, running: "exec sleep infinity")
        try add("run/udev/control")
        try add("usr/lib/udev/rules.d/70-orientationd.rules", "# a rule\n")
        try add("etc/passwd", "orientationd:x:990:990:Device orientation:/nonexistent:/usr/sbin/nologin\n")
        try add("etc/group", "orientationd:x:990:\norientation:x:991:\n")
        for device in devices { try add("run/udev/data/+iio:iio:device\(device.number)", "I:1\nG:orientationd\n") }
        try FileManager.default.createDirectory(atPath: root + "/sys/bus/iio", withIntermediateDirectories: true)
        try program("systemctl", "echo 'System has not been booted with systemd.'; exit 1")
        try program("journalctl", "exit 1")
    }

    /// Writes a file of the machine.
    func add(_ path: String, _ text: String = "") throws {
        let url = URL(fileURLWithPath: "\(root)/\(path)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: true, encoding: .utf8)
    }

    /// Creates a symbolic link in the machine.
    func link(_ path: String, to target: String) throws {
        let url = URL(fileURLWithPath: "\(root)/\(path)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: target)
    }

    /// Adds a process; `unit` is its control group.
    func addProcess(
        _ identifier: Int, _ name: String, executable: String? = nil, unit: String? = nil, user: uid_t = 0
    ) throws {
        try add("proc/\(identifier)/comm", name + "\n")
        try add("proc/\(identifier)/status", "Name:\t\(name)\nUid:\t\(user)\t\(user)\t\(user)\t\(user)\n")
        try add("proc/\(identifier)/cgroup", "0::\(unit ?? "/user.slice/user-1000.slice/session-1.scope")\n")
        if let executable {
            try add(executable)
            try link("proc/\(identifier)/exe", to: "../../\(executable)")
        }
        try FileManager.default.createDirectory(
            atPath: "\(root)/proc/\(identifier)/fd", withIntermediateDirectories: true)
    }

    /// Replaces a program from which the doctor reads facts by a shell script.
    func program(_ name: String, _ script: String) throws {
        try Programs.write("#!/bin/sh\n\(script)\n", to: folder.path(name))
    }

    /// The arguments of the tool.
    func arguments(_ more: [String]) -> [String] {
        toolOptions(socket) + ["doctor", "--sysroot", root] + more
    }

    var environment: [String: String] {
        ["PATH": "\(folder.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"]
    }

    func doctor(_ more: String...) throws -> (status: Int32, output: [String], errors: String) {
        try RunningProgram.run(Programs.tool, arguments(more), environment: environment)
    }

    /// Examines the machine; returns the findings and the exit status.
    func examine() throws -> (status: Int32, findings: [Finding]) {
        let run = try doctor("--json")
        guard run.output.count == 1 else { throw TestFailure("doctor printed \(run.output), \(run.errors)") }
        let answer = try JSONDecoder().decode(Answer.self, from: Data(run.output[0].utf8))
        let found = answer.findings
        guard answer.problems == found.count(where: { $0.level == "problem" }),
            answer.notes == found.count(where: { $0.level == "note" })
        else { throw TestFailure("the counts are wrong: \(run.output[0])") }
        return (run.status, found)
    }

    /// Returns the problems and notes of one check.
    func findings(of check: String) throws -> [Finding] {
        try examine().findings.filter { $0.check == check && $0.level != "ok" }
    }
}
