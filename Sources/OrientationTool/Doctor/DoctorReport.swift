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

extension Redaction.Words {
    /// What this machine and its users are called, and its serial numbers, as far as they can be read: root can read
    /// them, and root's report is the one in which they could stand.
    init(_ root: SystemRoot, _ accounts: AccountDatabase) {
        self.init()
        addHosts(root)
        for user in accounts.users where (1_000..<65_534).contains(user.user) {
            users.insert(user.name)
            homes.insert(user.home)
            if let fullName = user.remark.split(separator: ",").first { users.insert(String(fullName)) }
        }
        for variable in ["USER", "LOGNAME", "SUDO_USER"] { users.formUnion(Self.environment(variable)) }
        homes.formUnion(Self.environment("HOME"))
        let dmi = [
            "product_serial", "board_serial", "chassis_serial", "product_uuid", "board_asset_tag", "chassis_asset_tag",
        ]
        let files =
            dmi.map { "/sys/class/dmi/id/\($0)" } + ["/sys/firmware/devicetree/base/serial-number", "/etc/machine-id"]
        serials = Set(files.compactMap { root.line($0) })
        for device in root.entries("/sys/bus/hid/devices") {
            let uevent = UdevRecord(uevent: root.text("/sys/bus/hid/devices/\(device)/uevent") ?? "")
            if let serial = uevent.properties["HID_UNIQ"] { serials.insert(serial) }
        }
        // Firmware pads with spaces.
        serials = Set(serials.map(\.trimmed).filter { !$0.isEmpty })
    }

    private mutating func addHosts(_ root: SystemRoot) {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        let own = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let info = UdevRecord(uevent: root.text("/etc/machine-info") ?? "").properties["PRETTY_HOSTNAME"]
        let names = [own, root.line("/etc/hostname")?.trimmed, info?.filter { $0 != "\"" }].compactMap { $0 }
        // With its domain, and without.
        let short = names.compactMap { $0.split(separator: ".").first.map(String.init) }
        hosts = Set((names + short).filter { !$0.isEmpty })
    }

    private static func environment(_ name: String) -> [String] {
        getenv(name).map { String(cString: $0) }.map { $0.isEmpty ? [] : [$0] } ?? []
    }
}

extension String {
    /// Without white space at its ends.
    fileprivate var trimmed: String {
        split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
