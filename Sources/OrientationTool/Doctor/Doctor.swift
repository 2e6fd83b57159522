// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diagnosis
import Glibc
import OrientationClient
import Varlink

/// `orientationctl doctor`: finds out why the screen does not turn, and how to fix it.
struct Doctor: AsksDaemon {
    static let configuration = CommandConfiguration(
        abstract: "Find out why the screen does not turn, and how to fix it.",
        discussion: """
            Examines everything from the kernel up, whether the daemon runs or not, and changes nothing. A finding is a \
            problem, or a note: something that works and may be unexpected. Root sees more. Exit status: 0 no problem, 2 \
            problems, 1 the examination failed.

            Examples:
              orientationctl doctor
              sudo orientationctl doctor --report report.txt
            """)

    @Flag(help: "Print also what is in order.")
    var all = false

    @Flag(help: "Print all findings as one JSON object.")
    var json = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Write a report for the project's maintainers.",
            discussion: "It has a recording of ten seconds, and no names and serial numbers.", valueName: "file"),
        completion: .file())
    var report: String?

    @OptionGroup var overwrite: OverwriteOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Length of the report's recording, up to 600; 10 without it.", valueName: "seconds"),
        transform: NumberRange(0...600).parse)
    var duration: Double?

    @OptionGroup var machine: MachineOptions

    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    /// The exit status where there are problems.
    static let problemsFound: Int32 = 2
    /// Lines are no wider than this, for the sake of readers.
    private static let widest = 100

    func validate() throws {
        if let report, report.isEmpty || report == "-" { throw ValidationError("--report needs the name of a file") }
        if overwrite.isAllowed, report == nil { throw ValidationError("--overwrite belongs to --report") }
    }

    @MainActor func run() async throws {
        let work = Task { try await examine() }
        let interrupts = SignalWatch.endings { work.cancel() }
        defer { withExtendedLifetime(interrupts) {} }
        let hasProblems: Bool
        do {
            hasProblems = try await work.value
        } catch is CancellationError {
            throw Failure(report.map { "interrupted; \($0) was not written" } ?? "interrupted")
        }
        if hasProblems { throw ExitCode(Self.problemsFound) }
    }

    /// Whether there are problems.
    private func examine() async throws -> Bool {
        let file = report.map { WholeFile(path: $0, mayReplace: overwrite.isAllowed) }
        try file?.check()
        let reader = FactsReader(
            root: machine.system,
            daemon: DaemonReader(service: daemon, socket: SocketPath(explicit: socketPath).current))
        let (facts, answers) = try await reader.gather()
        let examination = Examination(facts)
        let output = TextOutput()
        if json {
            output.add(json: examination.json.description)
        } else {
            output.add(examination.text(all: all, width: min(Terminal.size.columns, Self.widest)))
        }
        try output.flush()
        if let file {
            let duration = duration ?? 10
            let report = DoctorReport(
                reader: reader, facts: facts, answers: answers, examination: examination, duration: duration)
            if duration > 0, facts.daemon.failure == nil, isatty(STDERR_FILENO) == 1 {
                ExitStatus.say(
                    "recording for \(Int(duration.rounded(.up))) seconds: turn the device through all poses")
            }
            let text = try await report.text()
            try Task.checkCancellation()
            try file.write(text)
            ExitStatus.say("the report is in \(file.path); look through it before you hand it on")
        }
        return examination.count(.problem) > 0
    }
}

extension Examination {
    /// All findings as one object.
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
        json["fix"] = fix.map { .string($0) }
        return json
    }
}
