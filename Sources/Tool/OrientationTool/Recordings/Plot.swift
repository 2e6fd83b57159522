// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel

/// `orientationctl plot`: draws a recording.
struct Plot: LocalCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draw a recording and its classification",
        discussion: """
            Draws the orientations by several classifiers one above the other, as SVG. A recording may have 4000000 \
            samples: 11 hours at 100 per second. Writes the file when the picture is complete.

            Examples:
              orientationctl plot walk.rec -o walk.svg
              orientationctl plot --classifier standard --classifier calm walk.rec -o walk.svg
            """)

    @Argument(help: SampleInput.help, completion: .file(), transform: SampleInput.parse)
    var path: String

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp("Picture to write; the name must end in .svg", valueName: "file"),
        completion: .file(extensions: ["svg"]))
    var output: String

    @Option(
        parsing: .unconditionalSingleValue,
        help: ClassifierChoice.help, completion: ClassifierChoice.completion, transform: ClassifierChoice.parse)
    var classifier: [ClassifierChoice] = [.standard]

    @OptionGroup var time: TimeUnitOption
    @OptionGroup var overwrite: OverwriteOption
    @OptionGroup var quiet: QuietOption
    @ParentCommand var root: OrientationCtl

    func validate() throws {
        guard output.lowercased().hasSuffix(".svg") else {
            throw ValidationError("--output: invalid value '\(output)': must end in .svg")
        }
    }

    func run() throws {
        let file = WholeFile(path: output, mayReplace: overwrite.isAllowed)
        try file.check()
        let input = SampleInput(path, timeUnit: time.unit)
        let recording = try RecordedRun(input)
        let classified = classifier.map { choice in
            (classifier: choice.name, recording: ClassifiedRecording(recording, settings: choice.settings))
        }
        let span = classified[0].recording.span
        guard (span.upperBound - span.lowerBound).isFinite else {
            throw Failure("\(input.name): time range too large to draw")
        }
        ScaleNotice.print(classified[0].recording.scale, of: path)
        try file.write(
            RecordingPicture.document(input.shortName, classified: classified, isDamaged: recording.damage != nil))
        if let damage = recording.damage {
            throw Failure("\(damage); \(output) shows the samples before the damage")
        }
        try quiet.confirm("\(output): drew \(recording.samples.count) samples of \(input.shortName)")
    }
}
