// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What `orientationctl doctor --report` writes, and what it does not.
@Suite(.serialized) struct DoctorReportTests {
    /// A machine that could be told by its names, and a daemon in it.
    private func patient() throws -> Patient {
        let patient = try Patient([.upright])
        try patient.add(
            "etc/passwd",
            "orientationd:x:990:990::/nonexistent:/bin/false\njane:x:1000:1000:Jane Doe,,,:/srv/people/jane:/bin/sh\n")
        try patient.add("etc/hostname", "janes-tablet\n")
        try patient.add("etc/machine-id", "00112233445566778899aabbccddeeff\n")
        try patient.add("sys/class/dmi/id/sys_vendor", "LENOVO\n")
        try patient.add("sys/class/dmi/id/modalias", "dmi:bvnLENOVO:pnYoga300:\n")
        try patient.add("sys/class/dmi/id/product_serial", "5CD0123XYZ\n")
        try patient.add("sys/class/dmi/id/product_uuid", "4c4c4544-0042-3510-8057-b3c04f4e3232\n")
        try patient.program(
            "journalctl",
            "echo '2026-11-21T20:00:00 janes-tablet orientationd[7]: opened /srv/people/jane/x.csv for Jane Doe (jane), 5CD0123XYZ'"
        )
        return patient
    }

    private let secrets = [
        "jane", "Jane Doe", "5CD0123XYZ", "4c4c4544", "00112233445566778899aabbccddeeff", "/srv/people",
    ]

    private func report(_ patient: Patient, _ daemon: RunningDaemon?, _ more: [String] = []) throws -> (
        status: Int32, errors: String, path: String
    ) {
        let path = patient.folder.path + "/report"
        let run = try RunningProgram.run(
            Programs.tool,
            ["--socket", daemon?.socket ?? patient.socket, "doctor", "--sysroot", patient.root, "--report", path]
                + more,
            environment: patient.environment)
        return (run.status, run.errors, path)
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func `a report has what a maintainer needs, a recording that can be read, and nothing private`() throws {
        let patient = try patient()
        let daemon = try RunningDaemon([], devices: [.upright])
        let run = try report(patient, daemon, ["--duration", "0.3"])
        let text = try text(run.path)
        for expected in [
            "orientationd: 0.", "kernel: ", "dmi sys_vendor: LENOVO", "dmi modalias: dmi:bvnLENOVO:pnYoga300:",
            "udev ACCEL_MOUNT_MATRIX=-1, 0, 0; 0, -1, 0; 0, 0, -1", "in_accel_scale", "== Findings ==",
            "== org.orientationd.Orientation.ListSensors ==", "== org.orientationd.Control.Status ==",
            "opened [home]/x.csv for [user] ([user]), [serial]",
        ] {
            #expect(text.contains(expected), "\(expected)")
        }
        for secret in secrets { #expect(!text.lowercased().contains(secret.lowercased()), "\(secret)") }
        let start = try #require(text.range(of: "replay:FILE) ==\n")?.upperBound)
        let recording = try patient.folder.write(String(text[start...]), to: "recording")
        let classified = try RunningProgram.run(Programs.tool, ["classify", recording])
        #expect(classified.status == 0)
        #expect(classified.output.first?.hasSuffix(",portrait") == true)
    }

    @Test func `a report is made while the daemon is away, and says so`() throws {
        let patient = try patient()
        let run = try report(patient, nil)
        #expect(run.status == 2)
        #expect(try text(run.path).contains("== The daemon ==\nno reply: "))
        #expect(try !text(run.path).contains("== Recording"))
    }

    @Test func `a file that is there is not replaced unless that was asked for, and none is left half done`() throws {
        let patient = try patient()
        let path = try patient.folder.write("mine\n", to: "report")
        let refused = try report(patient, nil)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("--overwrite"))
        #expect(try text(path) == "mine\n")
        #expect(try report(patient, nil, ["--overwrite"]).status == 2)
        #expect(try text(path).contains("== Findings =="))
        let files = try FileManager.default.contentsOfDirectory(atPath: patient.folder.path)
        #expect(files.filter { $0.hasPrefix("report") } == ["report"])
    }

    @Test func `where no file can be, that is said before anything is recorded`() throws {
        let patient = try patient()
        for place in ["/nowhere/at/all", patient.folder.path] {
            let run = try patient.doctor("--report", place, "--overwrite")
            #expect(run.status == 1)
            #expect(run.errors.contains(place))
            #expect(run.errors.filter(\.isNewline).count == 1)
            #expect(run.output == [])
        }
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `an interrupted report leaves nothing behind`(signal: Int32) throws {
        let patient = try patient()
        let daemon = try RunningDaemon([], devices: [.upright])
        let path = patient.folder.path + "/report"
        let program = try RunningProgram(
            Programs.tool,
            [
                "--socket", daemon.socket, "doctor", "--sysroot", patient.root, "--report", path, "--duration", "300",
            ], environment: patient.environment)
        // The findings come before the recording.
        _ = try program.lines { $0.contains("in order") }
        program.send(signal)
        #expect(program.wait() == 1)
        #expect(program.errorText.contains("\(path): interrupted; nothing was written"))
        let files = try FileManager.default.contentsOfDirectory(atPath: patient.folder.path)
        #expect(files.filter { $0.hasPrefix("report") } == [])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can call as another user"))
    func `who may not know the motion gets a report that says who may`() throws {
        let patient = try patient()
        let daemon = try RunningDaemon(["--sensor", "fake:"])
        for folder in [patient.folder.path, patient.root, daemon.folder.path] {
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        }
        let path = patient.folder.path + "/report"
        let run = try RunningProgram.run(
            "/usr/bin/setpriv",
            [
                "--reuid=65534", "--regid=65534", "--clear-groups", Programs.tool, "--socket", daemon.socket, "doctor",
                "--sysroot", patient.root, "--report", path,
            ], environment: patient.environment)
        #expect(run.errors.contains(": wrote the report"))
        let text = try text(path)
        #expect(text.contains("== Recording ==\npermission denied: requires root, the daemon's own user, or member"))
        #expect(text.contains("permission denied: requires root"))
        #expect(text.contains("Not checked without root"))
    }
}
