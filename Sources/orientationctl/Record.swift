// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrientationClient
import OrientationWire
import Varlink

/// `orientationctl record`: keeps what the daemon's sensor measures, for a report or a test.
struct Record: AsksDaemon {
    static let configuration = CommandConfiguration(
        abstract: "Record what the sensor measures, raw and converted, until Ctrl-C.",
        discussion: """
            The recording says which sensor it was and how its numbers became m/s², so that others can reproduce what \
            happened: `replay:FILE` plays it, `replay` shows it, `classify` and `plot` look into it. Without --rate it has \
            what the daemon judges, at the rate that this takes. For root, the daemon's user and the group orientationd.

            FILE is made, or replaced, with the first sample, and grows as the samples come. However it ends it can be \
            read; ended by anything but a kill it is whole, and its last line says so.

            Examples:
              orientationctl record --duration 10 walk.rec
              orientationctl record --rate 100 shaking.rec
              orientationctl record --csv - | head -100
            """)

    @Argument(help: "Where to write; - for standard output.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("End after so many seconds.", valueName: "seconds"))
    var duration: Double?

    @Option(help: ArgumentHelp("Let the sensor measure so often in a second, if it can.", valueName: "hertz"))
    var rate: Double?

    @Flag(help: "Write plain CSV, t,x,y,z, without the raw values.")
    var csv = false

    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    func validate() throws {
        if let duration, !(duration > 0 && duration < 1e9) { throw ValidationError("--duration must be more than 0") }
        if let rate, !(rate > 0 && rate.isFinite) { throw ValidationError("--rate must be more than 0") }
    }

    @MainActor func run() async throws {
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
        try await recording.value
    }

    /// Records until there is no more, or the task is cancelled; what there is then is a whole recording.
    private func record() async throws {
        var open: (recording: MotionRecording, output: TextOutput)?
        let progress = Progress(isOutputVisible: file == "-")
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
                var current = try open ?? (MotionRecording(first: reply, csv: csv), TextOutput(path: file))
                current.output.add(try current.recording.text(of: reply))
                try current.output.flush()
                progress.show(current.recording.progress(of: duration))
                open = current
            }
        } catch {
            try finish()
            throw error
        }
        guard open != nil else { throw Failure("the sensor gave no sample; nothing was written") }
        try finish()
    }
}
