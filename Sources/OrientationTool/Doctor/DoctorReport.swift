// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import Glibc
import OrientationClient
import OrientationWire
import Varlink

/// Puts together what a maintainer needs to know.
struct DoctorReport {
    let reader: FactsReader
    let facts: MachineFacts
    let answers: DaemonReader.Answers
    let examination: Examination
    /// How long the recording is, in seconds; 0 for none.
    let duration: Double

    private var root: SystemRoot { reader.root }

    func text() async throws -> String {
        let redaction = Redaction(Redaction.Words(root, reader.accounts))
        var report = ReportText(redaction: redaction)
        report.add(versions)
        report.add(machine)
        report.add(
            .init("Findings", examination.text(all: true, width: 110).split(separator: "\n").map(String.init)))
        for section in facts.sections { report.add(section) }
        for (method, text) in answers.replies { report.add(.init(method, [text])) }
        if let failure = answers.facts.failure { report.add(.init("The daemon", ["does not answer: \(failure)"])) }
        report.add(.init("Log of orientationd.service", reader.services.recentLog()))
        if duration > 0, answers.facts.failure == nil { try await addRecording(to: &report) }
        return report.description
    }

    private func addRecording(to report: inout ReportText) async throws {
        do {
            let recording = try await MotionRecording.record(reader.daemon.service, seconds: duration)
            if let recording { return report.add(recording: recording) }
            report.add(
                .init("Recording", ["the sensor gave no sample within \(Decimal.text(duration, places: 0)) seconds"]))
        } catch let error as CancellationError {
            throw error
        } catch OrientationServiceError.permissionDenied(let needs) {
            report.add(.init("Recording", ["not permitted: it takes \(needs)"]))
        } catch {
            report.add(.init("Recording", ["none: \(error)"]))
        }
    }

    private var versions: ReportText.Section {
        let system = UdevRecord(uevent: root.text("/etc/os-release") ?? "").properties["PRETTY_NAME"]
        let systemd: String =
            switch OtherProgram.ask(["systemctl", "--version"]) {
            case .text(let text): text.split(separator: "\n").first.map(String.init) ?? "says nothing"
            case .failed(let reason): reason
            }
        return .init(
            "Versions",
            [
                "made: \(Self.now)", "orientationctl: \(Version.current)",
                "orientationd: \(facts.daemon.version ?? "does not answer")",
                "system: \(system?.filter { $0 != "\"" } ?? "unknown")", "systemd: \(systemd)",
                "kernel: \(facts.kernel.release)",
            ])
    }

    /// What firmware says of the machine's kind; nothing of the single machine.
    private var machine: ReportText.Section {
        let names = [
            "sys_vendor", "product_name", "product_version", "product_family", "product_sku", "board_vendor",
            "board_name",
            "board_version", "chassis_type", "bios_vendor", "bios_version", "bios_date", "modalias",
        ]
        let dmi = names.compactMap { name in root.line("/sys/class/dmi/id/\(name)").map { "dmi \(name): \($0)" } }
        let tree = ["model", "compatible"].compactMap { name in
            root.text("/sys/firmware/devicetree/base/\(name)").map {
                "device tree \(name): \($0.split(separator: "\0").joined(separator: ", "))"
            }
        }
        return .init("Machine", dmi + tree)
    }

    private static var now: String {
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
