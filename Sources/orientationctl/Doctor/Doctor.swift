// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diagnosis
import Glibc
import OrientationClient
import Varlink

/// `orientationctl doctor`: why the screen does not turn, and what mends it.
struct Doctor: AsksDaemon {
    static let configuration = CommandConfiguration(
        abstract: "Find out why the screen does not turn as it should, and what mends it.",
        discussion: """
            Looks at everything from the kernel up, whether the daemon runs or not, and changes nothing. What it finds is \
            a problem, or a note: something that works, and may be why things are not as you expect. Root sees more. \
            Exit status: 0 no problem, 2 problems, 1 the examination itself failed.

            Examples:
              orientationctl doctor
              sudo orientationctl doctor --report report.txt
            """)

    @Flag(help: "Tell also what is as it should be.")
    var all = false

    @Flag(help: "Print all findings as one JSON object.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Write a report for the project's maintainers, with a recording of ten seconds, and without names and serial numbers.",
            valueName: "file"),
        completion: .file())
    var report: String?

    @Flag(help: "Replace the report's file if it is there.")
    var overwrite = false

    @Option(help: ArgumentHelp("How long the report's recording is; 0 for none.", valueName: "seconds"))
    var duration = 10.0

    @OptionGroup var machine: MachineOptions

    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    /// The exit status where there are problems.
    static let problemsFound: Int32 = 2
    /// Lines are no wider than this, for the sake of readers.
    private static let widest = 100

    func validate() throws {
        guard duration >= 0, duration <= 600 else { throw ValidationError("--duration must be between 0 and 600") }
        if let report, report.isEmpty || report == "-" { throw ValidationError("--report needs the name of a file") }
        if overwrite, report == nil { throw ValidationError("--overwrite belongs to --report") }
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
        let file = report.map { WholeFile(path: $0, mayReplace: overwrite) }
        try file?.check()
        let reader = FactsReader(
            root: machine.system,
            daemon: DaemonReader(service: daemon, socket: SocketPath(explicit: socketPath).current))
        let (facts, answers) = try await reader.gather()
        let examination = Examination(facts)
        let output = TextOutput()
        output.add(
            json ? "\(examination.json)\n" : examination.text(all: all, width: min(Terminal.size.columns, Self.widest)))
        try output.flush()
        if let file {
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
