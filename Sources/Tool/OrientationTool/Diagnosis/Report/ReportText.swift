// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Posix

/// A report for the maintainers: readable text without data that identifies the machine or its users.
struct ReportText {
    struct Section {
        var title: String
        var lines: [String]

        init(_ title: String, _ lines: [String]) {
            self.title = title
            self.lines = lines
        }
    }

    /// The largest number of lines of a section; the last ones are kept.
    static let longestSection = 2_000

    private var text: String
    private let redaction: Redaction

    init(redaction: Redaction) {
        self.redaction = redaction
        text = """
            # Bug report, or report that a device works, by `sudo orientationctl doctor --report`: please answer the
            # questions, and attach this file to an issue of orientationd. If the display does not turn, attach what
            # `orientationctl doctor --all` prints without sudo, too: root cannot examine the display of a session.
            # Device (maker, model, year):
            # Desktop or compositor, and its version:
            # What should happen, and what happens instead ("works", if all is right):
            # Since when, and how to repeat it:
            # How the device was held while this was recorded:
            # Names of users and of the machine, home directories, serial numbers and addresses are redacted; please check
            # the text before you share it.

            """
    }

    mutating func add(_ section: Section) {
        let lines = section.lines.suffix(Self.longestSection)
        let body = lines.isEmpty ? ["none"] : lines.map { redaction($0) }
        text += "\n== \(section.title) ==\n" + body.joined(separator: "\n") + "\n"
    }

    /// Adds a recording as the last section, unchanged: it contains only numbers and chip names, and can be extracted
    /// and replayed.
    mutating func add(recording: String) {
        text += "\n== Recording (from the next line to the end: a file for replay:FILE) ==\n" + recording
    }

    var description: String { text }
}

extension MachineFacts {
    /// The sections that need facts only.
    var sections: [ReportText.Section] {
        [kernelSection] + accelerometers.map(\.section) + [processSection, serviceSection]
    }

    private var kernelSection: ReportText.Section {
        ReportText.Section(
            "Kernel and udev",
            [
                "release: \(kernel.release)", "bus iio: \(kernel.hasBus)", "modules installed: \(kernel.hasModules)",
                "industrialio offered: \(kernel.offersBus)", "udev running: \(udev.isRunning)",
                "rule: \(udev.rule ?? "none")\(udev.isRuleMasked ? " (masked)" : "")",
                "daemon's user: \(daemonAccount.map { $0.user == 0 ? "root" : "not root" } ?? "none")",
                "caller: \(caller.user == 0 ? "root" : "not root")",
            ] + driverless.map { "without a driver: \($0.name) (\($0.bus)), for \($0.modules.joined(separator: ", "))" }
        )
    }

    private var processSection: ReportText.Section {
        ReportText.Section(
            "Processes",
            processes.processes.map { process in
                "\(process.program ?? "calls itself '\(process.name)'"): open \(process.nodes.isEmpty ? "nothing" : process.nodes.sorted().joined(separator: ", "))"
                    + (process.arguments.isEmpty ? "" : ", started as \(process.arguments.joined(separator: " "))")
            } + (processes.isComplete ? [] : ["(not all processes could be read)"]))
    }

    private var serviceSection: ReportText.Section {
        ReportText.Section(
            "Units",
            service.failure.map { [$0] }
                ?? service.units.map { unit in
                    ServiceFacts.Unit.Property.allCases.map { "\($0.rawValue)=\(unit[$0])" }.joined(separator: " ")
                })
    }
}

extension DeviceFacts {
    /// The reported udev properties; others may identify the machine.
    private static let properties =
        (SensorProperty.allCases.map(\.rawValue)
        + ["DEVTYPE", "DRIVER", "MODALIAS", "OF_NAME", "SUBSYSTEM", "SYSTEMD_WANTS"]).sorted()

    fileprivate var section: ReportText.Section {
        var lines = [
            "driver: \(attributes.driver ?? "unknown"), module \(module ?? "unknown")",
            "node: \(node?.description ?? "none")",
        ]
        lines += files.sorted { $0.key < $1.key }.map { name, access in
            let value =
                switch attributes.contents[name] {
                case .text(let text): text
                case .unreadable(let reason): "unreadable: \(reason)"
                case nil: "see below"
                }
            return "\(name) (\(access.description)): \(value)"
        }
        lines += Self.properties.compactMap { name in udev.properties[name].map { "udev \(name)=\($0)" } }
        lines.append("udev tags: \(udev.tags.sorted().joined(separator: " ")); processed: \(udev.isProcessed)")
        lines += readings.vectors.map { "read: \($0.map(\.brief).joined(separator: ", "))" }
        lines.append("longest reading: \(readings.longest.brief) s\(readings.failure.map { "; failed: \($0)" } ?? "")")
        return ReportText.Section("Accelerometer \(id)", lines)
    }
}

extension Examination {
    /// Returns the findings as text: problems and notes, with `all` also `ok`; then a summary line. `width` in
    /// characters.
    func text(all: Bool, width: Int, isColoured: Bool = false) -> String {
        let shown = findings.filter { all || $0.level != .ok }
        return (shown.map { $0.text(width: width, isColoured) } + [summary(all: all)]).joined(separator: "\n\n")
    }

    private func summary(all: Bool) -> String {
        let problems = count(.problem)
        let notes = count(.note)
        let begin =
            switch problems {
            case 0: "No problem was found"
            case 1: "1 problem"
            default: "\(problems) problems"
            }
        let passed = count(.ok)
        let rest = "\(notes) \(notes == 1 ? "note" : "notes"), \(passed) \(passed == 1 ? "check" : "checks") passed"
        return "\(begin), \(rest)\(all || passed == 0 ? "." : " (--all shows them).")"
    }
}

extension Finding {
    /// The SGR parameters of the level: red, yellow and green.
    private var colour: String {
        switch level {
        case .problem: "1;31"
        case .note: "33"
        case .ok: "32"
        }
    }

    /// The width of the column with the level.
    private static let margin = 9

    fileprivate func text(width: Int, _ isColoured: Bool) -> String {
        let margin = String(repeating: " ", count: Self.margin)
        let room = max(width - Self.margin, 20)
        var lines = (summary.capitalizedFirst.withoutFullStop + ".").wrapped(to: room)
        if let detail { lines += (detail.withoutFullStop + ".").wrapped(to: room) }
        // A command stays on one line, to be copied.
        if let fix { lines.append("> " + fix.command) }
        // They quote names from devices, services and files.
        lines = lines.map { $0.replacingControls() }
        let name = isColoured ? "\u{1B}[\(colour)m\(level.rawValue)\u{1B}[m" : level.rawValue
        let label = name + String(repeating: " ", count: Self.margin - level.rawValue.count)
        return lines.enumerated().map { index, line in (index == 0 ? label : margin) + line }.joined(separator: "\n")
    }
}

extension String {
    /// The text with a capital first letter, unless the first word is a name of a device, a file or a unit.
    fileprivate var capitalizedFirst: String {
        let word = prefix { $0 != " " }
        guard word.allSatisfy({ $0.isLetter }), word != "udev", word != "systemd", let first else { return self }
        return first.uppercased() + dropFirst()
    }
}

extension String {
    /// The text without final full stops: messages of other programs may have one, and the caller adds one.
    var withoutFullStop: String {
        var text = self
        while text.last == "." { text.removeLast() }
        return text
    }
}
