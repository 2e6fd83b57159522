// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The contents of `orientationctl doctor --report`, and what it omits.
@Suite(.serialized) struct DoctorReportTests {
    /// A machine with private names.
    private func machine() throws -> ExaminedMachine {
        let machine = try ExaminedMachine([.upright])
        try machine.add(
            "etc/passwd",
            "orientationd:x:990:990::/nonexistent:/bin/false\njane:x:1000:1000:Jane Doe,,,:/srv/people/jane:/bin/sh\n")
        try machine.add("etc/hostname", "janes-tablet\n")
        try machine.add("etc/hosts", "127.0.1.1 janes-tablet.corp.example\n10.0.0.7\tshelf # disks\n")
        try machine.add("etc/machine-id", "00112233445566778899aabbccddeeff\n")
        try machine.add("sys/class/misc/fastrpc-adsp/dev", "10:99\n")
        try machine.add("run/udev/data/c10:99", "E:ACCEL_MOUNT_MATRIX=0, 1, 0; -1, 0, 0; 0, 0, 1\n")
        try machine.add("sys/class/dmi/id/sys_vendor", "LENOVO\n")
        try machine.add("sys/class/dmi/id/modalias", "dmi:bvnLENOVO:pnYoga300:\n")
        try machine.add("sys/class/dmi/id/product_serial", "5CD0123XYZ\n")
        try machine.add("sys/class/dmi/id/product_uuid", "4c4c4544-0042-3510-8057-b3c04f4e3232\n")
        try machine.program(
            "journalctl",
            "echo '2026-11-21T20:00:00 janes-tablet orientationd[7]: opened /srv/people/jane/x.csv for Jane Doe (jane), 5CD0123XYZ'; "
                + "echo '2026-11-21T20:00:01 orientationd[7]: /mnt/jane_x on shelf, janes-tablet.corp.example'"
        )
        return machine
    }

    private let secrets = [
        "jane", "Jane Doe", "5CD0123XYZ", "4c4c4544", "00112233445566778899aabbccddeeff", "/srv/people",
        "shelf", "corp.example",
    ]

    private func report(_ machine: ExaminedMachine, _ daemon: RunningDaemon?, _ more: [String] = []) throws -> (
        status: Int32, errors: String, path: String
    ) {
        let path = machine.folder.path + "/report"
        let run = try RunningProgram.run(
            Programs.tool,
            toolOptions(daemon?.socket ?? machine.socket)
                + ["doctor", "--sysroot", machine.root, "--report", path] + more,
            environment: machine.environment)
        return (run.status, run.errors, path)
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func `a report has the facts, a valid recording, and nothing private`() throws {
        let machine = try machine()
        let daemon = try RunningDaemon([], devices: [.upright])
        // The recording does not wait for the start of the sensor.
        let watch = try daemon.watch(until: "portrait")
        let run = try report(machine, daemon, ["--duration", "3"])
        withExtendedLifetime(watch) {}
        let text = try text(run.path)
        for expected in [
            "orientationd: 0.", "kernel: ", "dmi sys_vendor: LENOVO", "dmi modalias: dmi:bvnLENOVO:pnYoga300:",
            "udev ACCEL_MOUNT_MATRIX=-1, 0, 0; 0, -1, 0; 0, 0, -1", "in_accel_scale", "== Findings ==",
            "== org.orientationd.Orientation.ListSensors ==", "== org.orientationd.Control.Status ==",
            "opened [home]/x.csv for [user] ([user]), [serial]",
            "/mnt/[user]_x on [host], [host]",
        ] {
            #expect(text.contains(expected), "\(expected)")
        }
        for secret in secrets { #expect(!text.lowercased().contains(secret.lowercased()), "\(secret)") }
        // The facts, with what the reporter adds, are a valid file for the folder `machines`.
        let facts = try #require(text.components(separatedBy: "== Facts for machines/VENDOR-MODEL.toml ==\n").last)
        let file = facts.components(separatedBy: "\n\n==")[0] + "\nsensor = \"iio:device0\"\n"
        try machine.folder.write(file, to: "lenovo.toml")
        let script = Programs.packageFolder + "/Scripts/machines.py"
        let check = try RunningProgram.run("/usr/bin/python3", [script, "check", machine.folder.path])
        #expect(check.status == 0 && check.errors == "" && file.contains("label = \"accel-display\""))
        #expect(file.contains("node = \"fastrpc-adsp\"\nudev = { ACCEL_MOUNT_MATRIX = \"0, 1, 0; -1"))
        let start = try #require(text.range(of: "replay:FILE) ==\n")?.upperBound)
        let recording = try machine.folder.write(String(text[start...]), to: "recording")
        let classified = try RunningProgram.run(Programs.tool, ["classify", recording])
        #expect(classified.status == 0)
        #expect(classified.output.first?.hasSuffix(",portrait") == true)
    }

    @Test func `a report is a form: its first lines are questions, and the message and the help say so`() throws {
        let machine = try machine()
        let run = try report(machine, nil)
        #expect(run.status == 2)
        #expect(run.errors.contains("answer its questions and check it before you share it"))
        #expect(try text(run.path).contains("== The daemon ==\nno reply: "))
        #expect(try !text(run.path).contains("== Recording"))
        let head = try text(run.path).split(separator: "\n").prefix { $0.hasPrefix("#") }
        #expect(head.first?.contains("Bug report, or report that a device works") == true)
        #expect(head.contains { $0.hasPrefix("# Device (maker, model, year):") })
        #expect(head.count { $0.hasSuffix(":") } >= 4)
        #expect(
            try RunningProgram.run(Programs.tool, ["help", "doctor"]).output.contains {
                $0.contains("form of a bug report or a device report")
            })
    }

    @Test func `a file that cannot be created is reported before the recording starts`() throws {
        let machine = try machine()
        for place in ["/nowhere/at/all", machine.folder.path] {
            let run = try machine.doctor("--report", place, "--overwrite")
            #expect(run.status == 1)
            #expect(run.errors.contains(place))
            #expect(run.errors.filter(\.isNewline).count == 1)
            #expect(run.output == [])
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `an interrupted report leaves no file`(signal: Int32) throws {
        let machine = try machine()
        let daemon = try RunningDaemon([], devices: [.upright])
        let path = machine.folder.path + "/report"
        let program = try RunningProgram(
            Programs.tool,
            toolOptions(daemon.socket) + [
                "doctor", "--sysroot", machine.root, "--report", path, "--duration", "300",
            ], environment: machine.environment)
        // The findings precede the recording.
        _ = try program.lines { $0.contains(" passed") }
        program.send(signal)
        #expect(program.wait() == 1)
        #expect(program.errorText.contains("\(path): interrupted; nothing was written"))
        let files = try FileManager.default.contentsOfDirectory(atPath: machine.folder.path)
        #expect(files.filter { $0.hasPrefix("report") } == [])
    }
}
