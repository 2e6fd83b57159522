// SPDX-License-Identifier: Apache-2.0

/// The diagnosis of a machine on which the display does not rotate as expected: facts in, findings out.
///
///     let examination = Examination(facts)
///     print(examination.text(all: false, width: 80))
struct Examination {
    /// The findings in the order of the checks.
    let findings: [Finding]

    /// All checks, from the kernel up: earlier fixes are preconditions of later ones. A new check is a static member in
    /// `Checks` and a row here.
    static let checks: [Check] = [
        .kernel, .devices, .core, .drivers, .permissions, .groups, .udev, .properties, .matrix, .reading, .buffer,
        .proxy,
        .service, .socket, .sensor, .ambient, .natural, .lock, .tabletMode, .lid, .display, .classifier, .errors,
        .coverage, .unread,
    ]

    init(_ facts: MachineFacts) {
        findings = Self.checks.flatMap { $0.findings(facts) }.map { finding in
            var finding = finding
            finding.fix = finding.fix.flatMap(facts.initSystem.fix)
            if facts.hasReadOnlySettings, finding.fix == .calibrate || finding.fix?.command.contains("/etc/") == true {
                return finding.adding("/etc is read-only: a change \(CalibrationFile.place())")
            }
            return finding
        }
    }

    func count(_ level: Finding.Level) -> Int {
        findings.count { $0.level == level }
    }
}

struct Finding: Hashable {
    enum Level: String {
        /// No action needed.
        case ok
        /// Works, but may explain unexpected behaviour.
        case note
        case problem
    }

    fileprivate(set) var check = ""
    var level: Level
    /// What was found, in one sentence without a full stop.
    var summary: String
    /// The consequence for the user; nil if the summary says it.
    var detail: String?
    /// The command that ends the cause; nil if there is none.
    var fix: Fix?

    static func ok(_ summary: String, _ detail: String? = nil) -> Finding {
        Finding(level: .ok, summary: summary, detail: detail)
    }

    static func note(_ summary: String, _ detail: String, fix: Fix? = nil) -> Finding {
        Finding(level: .note, summary: summary, detail: detail, fix: fix)
    }

    static func problem(_ summary: String, _ detail: String, fix: Fix? = nil) -> Finding {
        Finding(level: .problem, summary: summary, detail: detail, fix: fix)
    }

    /// Adds an instruction to the detail, and a fix.
    func adding(_ instruction: String?, _ fix: Fix? = nil) -> Finding {
        var finding = self
        finding.detail = [detail, instruction].compactMap(\.self).joined(separator: "; ")
        finding.fix = fix
        return finding
    }
}

/// A check: a name and a function from facts to findings.
struct Check {
    let name: String
    private let examine: @Sendable (MachineFacts) -> [Finding]

    init(_ name: String, _ examine: @escaping @Sendable (MachineFacts) -> [Finding]) {
        self.name = name
        self.examine = examine
    }

    static func single(_ name: String, _ examine: @escaping @Sendable (MachineFacts) -> Finding?) -> Check {
        Check(name) { facts in examine(facts).map { [$0] } ?? [] }
    }

    func findings(_ facts: MachineFacts) -> [Finding] {
        examine(facts).map { finding in
            var finding = finding
            finding.check = name
            return finding
        }
    }
}
