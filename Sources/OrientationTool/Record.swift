// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrientationClient
import OrientationWire
import Varlink

/// `orientationctl record`: writes the samples of the daemon's sensor to a file.
struct Record: AsksDaemon {
    static let configuration = CommandConfiguration(
        abstract: "Record the sensor's samples, raw and in m/s², until Ctrl-C.",
        discussion: """
            The header names the sensor and how its values became m/s². A daemon with --sensor replay:FILE plays the \
            recording to apps; replay, classify and plot show it. Without --rate it has the samples that the daemon \
            classifies. For root, the daemon's user and the group orientation.

            The file is created with the first sample and grows with each. It is readable however the recording ends; a \
            last line marks one that is complete.

            Examples:
              orientationctl record --duration 10 walk.rec
              orientationctl record --rate 100 shaking.rec
              orientationctl record --csv - | head -100
            """)

    @Argument(help: "Where to write; - for standard output.", completion: .file())
    var file: String

    @Option(
        parsing: .unconditional, help: ArgumentHelp("End after this time.", valueName: "seconds"),
        transform: NumberRange.runTime.parse)
    var duration: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Samples per second to ask of the sensor, up to 200.", valueName: "hertz"),
        transform: NumberRange.rate.parse)
    var rate: Double?

    @Flag(help: "Write plain CSV, t,x,y,z, without the raw values.")
    var csv = false

    @OptionGroup var overwrite: OverwriteOption
    @OptionGroup var report: ReportOptions
    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    /// A sensor that gives less than this share of the rate that was asked of it is reported.
    private static let leastShare = 0.9

    @MainActor func run() async throws {
        if file != "-" {
            try WholeFile(path: file, mayReplace: overwrite.isAllowed).check(allowsDevices: true)
        }
        let recording = Task { try await record() }
        let interrupts = SignalWatch.endings { recording.cancel() }
        defer { withExtendedLifetime(interrupts) {} }
        let timer = duration.map { seconds in
            Task {
                try await Task.sleep(for: .seconds(seconds))
                recording.cancel()
            }
        }
        defer { timer?.cancel() }
        try await daemon.whileReplying(recording)
    }

    /// Records until the replies end or the task is cancelled; the recording is complete then.
    private func record() async throws {
        var open: (recording: MotionRecording, output: TextOutput)?
        let progress = Progress(yieldsToOutput: file == "-")
        func finish() throws {
            progress.clear()
            guard let (recording, output) = open else { return }
            output.add(recording.ending())
            try output.flush()
        }
        do {
            let wish: JSONObject = rate.map { ["maximumRate": .real($0)] } ?? [:]
            for try await reply in daemon.replies(to: MotionInterface.monitor, wish) {
                if let reason: String = try reply.optionalValue("reason") {
                    ExitStatus.say("waiting for samples: \(reason)")
                    continue
                }
                var current =
                    try open
                    ?? (
                        MotionRecording(first: reply, csv: csv),
                        TextOutput(path: file, mayReplace: overwrite.isAllowed)
                    )
                current.output.add(try current.recording.text(of: reply))
                try current.output.flush()
                progress.show(current.recording.progress(of: duration))
                open = current
            }
        } catch {
            try finish()
            throw error
        }
        guard let recording = open?.recording else {
            throw Failure("the sensor gave no sample; nothing was written")
        }
        try finish()
        try confirm(recording)
    }

    /// Prints the summary; on standard error where standard output has the recording.
    private func confirm(_ recording: MotionRecording) throws {
        if let rate, let measured = recording.rate, measured < rate * Self.leastShare {
            let (given, wanted) = (Decimal.text(measured, places: 1), Decimal.text(rate, places: 1))
            ExitStatus.say("the sensor gave \(given) samples per second, not \(wanted)")
        }
        guard !report.isQuiet else { return }
        let (facts, line) = (recording.facts(file: file), recording.summary(file: file))
        if file == "-" { return ExitStatus.say(report.json ? facts.description : line) }
        try report.confirm(line, facts)
    }
}
