// SPDX-License-Identifier: Apache-2.0

import OrientationClient
import OrientationWire
import Posix
import Varlink

struct DoctorReport {
    let reader: FactsReader
    let facts: MachineFacts
    let examination: Examination
    /// The length of the recording, in seconds; 0 for none.
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
        for (method, text) in facts.daemon.replies { report.add(.init(method, [text])) }
        if let failure = facts.daemon.failure { report.add(.init("The daemon", ["no reply: \(failure)"])) }
        report.add(.init("Log of orientationd.service", reader.services.recentLog()))
        report.add(.init("Entries for hwdb.d/60-sensor.hwdb of systemd, if it lacks them", MachineFile.entries(root)))
        report.add(.init("Facts for machines/VENDOR-MODEL.toml", MachineFile(root, facts).lines))
        if duration > 0, facts.daemon.failure == nil { try await addRecording(to: &report) }
        return report.description
    }

    private func addRecording(to report: inout ReportText) async throws {
        do {
            if let recording = try await recording() { return report.add(recording: recording) }
            report.add(
                .init("Recording", ["no samples received within \(Decimal.text(duration, places: 0)) s"]))
        } catch let error as CancellationError {
            throw error
        } catch OrientationServiceError.permissionDenied(let needs) {
            report.add(.init("Recording", ["permission denied: requires \(needs)"]))
        } catch {
            report.add(.init("Recording", ["none: \(error)"]))
        }
    }

    /// Records for the duration; returns nil without a sample.
    private func recording() async throws -> String? {
        let work = Task {
            var text = ""
            let progress = Progress()
            defer { progress.clear() }
            do {
                _ = try await MotionRecording.record(reader.daemon.service) {
                    text += $0
                    progress.show($1.progress(of: duration))
                }
            } catch is SensorChanged {}
            return text
        }
        let text = try await reader.daemon.service.whileReplying(work, for: duration)
        try Task.checkCancellation()
        return text.isEmpty ? nil : text
    }

    private var versions: ReportText.Section {
        // The section of the units has the error.
        let systemd = (try? SystemCommand.output(of: ["systemctl", "--version"]))?.split(separator: "\n").first
        return .init(
            "Versions",
            [
                "created: \(WallClock.utc)", "orientationctl: \(Version.current)",
                "orientationd: \(facts.daemon.version ?? "no reply")",
                "system: \(root.assignment("PRETTY_NAME", in: "/etc/os-release") ?? "unknown")",
                "systemd: \(systemd ?? "unknown")", "kernel: \(facts.kernel.release)",
            ])
    }

    /// The firmware's description of the model, without serial numbers.
    private var machine: ReportText.Section {
        let names = [
            "sys_vendor", "product_name", "product_version", "product_family", "product_sku", "board_vendor",
            "board_name", "board_version", "chassis_type", "bios_vendor", "bios_version", "bios_date", "modalias",
        ]
        let dmi = names.compactMap { name in root.line("/sys/class/dmi/id/\(name)").map { "dmi \(name): \($0)" } }
        return .init("Machine", dmi + MachineFile.deviceTree("model", root).map { "device tree model: \($0)" })
    }
}

extension Redaction.Words {
    /// Collects the names of the machine and its users, and the serial numbers that the caller can read: only those can
    /// be in the report.
    init(_ root: SystemRoot, _ accounts: AccountDatabase) {
        self.init()
        addHosts(root)
        for user in accounts.users where (1_000..<65_534).contains(user.user) {
            users.insert(user.name)
            homes.insert(user.home)
            if let fullName = user.remark.split(separator: ",").first { users.insert(String(fullName)) }
        }
        users.formUnion(["USER", "LOGNAME", "SUDO_USER"].compactMap { Environment[$0] })
        if let home = Environment["HOME"] { homes.insert(home) }
        let dmi = [
            "product_serial", "board_serial", "chassis_serial", "product_uuid", "board_asset_tag", "chassis_asset_tag",
        ]
        let files =
            dmi.map { "/sys/class/dmi/id/\($0)" } + ["/sys/firmware/devicetree/base/serial-number", "/etc/machine-id"]
        serials = Set(files.compactMap { root.line($0) })
        for device in root.entries("/sys/bus/hid/devices") {
            if let serial = root.assignment("HID_UNIQ", in: "/sys/bus/hid/devices/\(device)/uevent") {
                serials.insert(serial)
            }
        }
        // Firmware pads values with spaces.
        serials = Set(serials.map(\.trimmed).filter { !$0.isEmpty })
    }

    /// The lines of /etc/hosts whose names are redacted: each name is searched for in the whole report.
    private static let mostHosts = 256

    private mutating func addHosts(_ root: SystemRoot) {
        let own = SystemRoot.this.line("/proc/sys/kernel/hostname")
        let pretty = root.assignment("PRETTY_HOSTNAME", in: "/etc/machine-info")
        // An address and its names, with the domain of this machine; not the lists of blocked domains.
        let known = (root.text("/etc/hosts") ?? "").split(separator: "\n").prefix(Self.mostHosts).flatMap { line in
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
            return ["0.0.0.0", "::"].contains(words.first) ? [] : words.dropFirst().map(String.init)
        }
        let names = [own, root.line("/etc/hostname")?.trimmed, pretty].compactMap { $0 }
        // With and without the domain.
        let short = names.compactMap { $0.split(separator: ".").first.map(String.init) }
        hosts = Set((names + short + known).filter { !$0.isEmpty })
    }
}

extension SystemRoot {
    /// Returns the value of a line `NAME=VALUE` of a file, without quotes; nil if there is none.
    fileprivate func assignment(_ name: String, in path: String) -> String? {
        text(path)?.split(separator: "\n").compactMap(\.assignment).last { $0.0 == name }?.1.filter { $0 != "\"" }
    }
}

extension String {
    /// The text with white space trimmed and collapsed.
    fileprivate var trimmed: String {
        split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
