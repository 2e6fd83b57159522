// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrientationClient
import Varlink

/// `orientationctl doctor`: examines why the screen does not rotate, and how to fix it.
struct Doctor: AsyncParsableCommand, DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find out why the screen does not rotate",
        discussion: """
            Examines the system from the kernel up, with or without a running daemon, and changes nothing. A finding is \
            a problem, or a note: something that works and may be unexpected. Finds more when run as root. Exit status: \
            0 no problem, 2 problems, 1 failure.

            Examples:
              orientationctl doctor
              sudo orientationctl doctor --report report.txt
            """)

    @Flag(help: "Print passed checks too")
    var all = false

    @Flag(help: "Print all findings as one JSON object")
    var json = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Write the form of a bug report or a device report",
            discussion: "Has questions to answer, and a recording of ten seconds; without names and serial numbers.",
            valueName: "file"),
        completion: .file())
    var report: String?

    @OptionGroup var overwrite: OverwriteOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Length of the recording, 0 to 600 (default: 10)", valueName: "seconds"),
        transform: NumberRange(0...600).parse)
    var duration: Double?

    @OptionGroup var machine: MachineOptions

    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    /// The exit status for at least one problem.
    static let problemsFound: Int32 = 2
    /// The largest line length, for readability.
    private static let widest = 100

    func validate() throws {
        if let report, report.isEmpty || report == "-" {
            throw ValidationError("--report: invalid value '\(report)': must be a file name")
        }
        guard report == nil else { return }
        if overwrite.isAllowed { throw ValidationError("--overwrite requires --report") }
        if duration != nil { throw ValidationError("--duration requires --report") }
    }

    @MainActor func run() async throws {
        let message = report.map { "\($0): interrupted; nothing was written" } ?? "examination: interrupted"
        let hasProblems = try await SignalWatch.cancelling(Task { try await examine() }, message)
        if hasProblems { throw ExitCode(Self.problemsFound) }
    }

    private func examine() async throws -> Bool {
        let file = report.map { WholeFile(path: $0, mayReplace: overwrite.isAllowed) }
        try file?.check()
        let reader = FactsReader(
            root: machine.system,
            daemon: DaemonReader(service: daemon, socket: place.socket.path))
        let facts = try await reader.gather()
        let examination = Examination(facts)
        if json {
            try TextOutput.print(json: examination.json.description)
        } else {
            let isColoured = isatty(STDOUT_FILENO) == 1 && Terminal.allowsColours
            let width = min(Terminal.size().columns, Self.widest)
            try TextOutput.print(coloured: examination.text(all: all, width: width, isColoured: isColoured))
        }
        if let file {
            let duration = duration ?? 10
            let report = DoctorReport(
                reader: reader, facts: facts, examination: examination, duration: duration)
            if duration > 0, facts.daemon.failure == nil, isatty(STDERR_FILENO) == 1 {
                StandardError.print("recording for \(Int(duration.rounded(.up))) s: turn the device through all poses")
            }
            let text = try await report.text()
            try Task.checkCancellation()
            try file.write(text)
            let rest = geteuid() == 0 ? "" : "; with sudo it can have more, such as the log and a recording"
            StandardError.print(
                "\(file.path): wrote the report; answer its questions and check it before you share it\(rest)")
        }
        return examination.count(.problem) > 0
    }
}

extension Examination {
    /// All findings as one JSON object.
    var json: JSONObject {
        [
            "problems": .integer(Int64(count(.problem))), "notes": .integer(Int64(count(.note))),
            "findings": .array(findings.map { .object($0.json) }),
        ]
    }
}

extension Finding {
    fileprivate var json: JSONObject {
        var json: JSONObject = [
            "check": .string(check), "level": .string(level.rawValue), "summary": .string(summary),
        ]
        json["detail"] = detail.map { .string($0) }
        json["fix"] = fix.map { .string($0.command) }
        return json
    }
}
