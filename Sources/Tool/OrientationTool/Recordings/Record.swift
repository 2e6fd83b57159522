// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrientationClient
import Varlink

/// `orientationctl record`: records the samples of the daemon's sensor.
struct Record: AsyncParsableCommand, DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record the samples of the sensor",
        discussion: """
            Records until Ctrl-C: raw values and m/s², with the facts about the sensor in a header. Without --rate, the \
            samples that the daemon classifies. Available to root, the daemon's user and the group orientation.

            Creates the file with the first sample. A recording that is cut short is readable; the last line marks a \
            complete one. Use classify or plot to examine it, or play it with orientationd --sensor replay:FILE.

            Examples:
              orientationctl record --duration 10 walk.rec
              orientationctl record --rate 100 shaking.rec
              orientationctl record --csv - | head -100
            """)

    @Argument(help: "File to write; - for standard output", completion: .file(), transform: SampleInput.parse)
    var file: String

    @OptionGroup var time: RunTimeOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Sampling rate to request, 0.1 to 200", valueName: "hertz"),
        transform: NumberRange(0.1...200).parse)
    var rate: Double?

    @Flag(help: "Write plain CSV, t,x,y,z, without raw values")
    var csv = false

    @OptionGroup var overwrite: OverwriteOption
    @OptionGroup var report: ReportOptions
    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    /// Warns if the measured rate is below this share of the requested one.
    private static let leastShare = 0.9

    @MainActor func run() async throws {
        if file != "-" {
            try WholeFile(path: file, mayReplace: overwrite.isAllowed).check(allowsDescriptors: true)
        }
        // A daemon that does not reply is reported first. Ctrl-C is not caught yet: it ends this wait.
        _ = try await daemon.call("org.varlink.service.GetInfo")
        let recording = Task { try await record() }
        let interrupts = SignalWatch.termination { recording.cancel() }
        defer { withExtendedLifetime(interrupts) {} }
        try await daemon.whileReplying(recording, for: time.duration)
    }

    /// Records until the replies end or the task is cancelled, and completes the recording.
    private func record() async throws {
        var output: TextOutput?
        defer { output?.removeIfEmpty() }
        let progress = Progress(yieldsToOutput: file == "-", isQuiet: report.isQuiet)
        defer { progress.clear() }
        let recording = try await MotionRecording.record(daemon, rate: rate, csv: csv) {
            StandardError.print("waiting for samples: \($0)")
        } write: { text, recording in
            let opened = try output ?? TextOutput(path: file, mayReplace: overwrite.isAllowed)
            output = opened
            opened.add(text)
            try opened.flush()
            progress.show(recording.progress(of: time.duration))
        }
        guard let recording else {
            throw Failure("\(file == "-" ? "standard output" : file): no samples received; nothing was written")
        }
        progress.clear()
        try confirm(recording)
    }

    /// Prints the summary; on standard error if standard output has the recording.
    private func confirm(_ recording: MotionRecording) throws {
        if let rate, let measured = recording.rate, measured < rate * Self.leastShare {
            let (given, wanted) = (Decimal.text(measured, places: 1), Decimal.text(rate, places: 1))
            StandardError.print("the sensor delivered \(given) samples per second instead of \(wanted)")
        }
        guard !report.isQuiet else { return }
        let (facts, line) = (recording.facts(file: file), recording.summary(file: file))
        guard file == "-" else { return try report.confirm(line, facts) }
        if report.json { StandardError.print(json: facts.description) } else { StandardError.print(line) }
    }
}
