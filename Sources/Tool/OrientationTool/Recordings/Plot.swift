// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel

/// `orientationctl plot`: draws a recording.
struct Plot: LocalCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draw a recording and its classification",
        discussion: """
            Draws a second recording below the first, and several classifiers one above the other, as SVG. A recording \
            may have 4000000 samples: 11 hours at 100 per second. Writes the file when the picture is complete.

            Examples:
              orientationctl plot walk.rec -o walk.svg
              orientationctl plot before.rec after.rec -o both.svg
              orientationctl plot --classifier standard --classifier calm walk.rec -o walk.svg
            """)

    @Argument(help: SampleInput.help, completion: .file())
    var paths: [String]

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
        if paths.count > 2 { throw ValidationError("too many recordings: \(paths.count): must be 1 or 2") }
        guard output.lowercased().hasSuffix(".svg") else {
            throw ValidationError("--output: invalid value '\(output)': must end in .svg")
        }
    }

    func run() throws {
        let file = WholeFile(path: output, mayReplace: overwrite.isAllowed)
        try file.check()
        var damages: [Failure] = []
        let subjects = try paths.map { path in
            let (subject, damage) = try subject(path)
            if let damage { damages.append(damage) }
            return subject
        }
        try file.write(RecordingPicture.document(of: subjects))
        if !damages.isEmpty {
            throw Failure(
                "\(damages.map(\.description).joined(separator: "; ")); \(output) shows the samples before the damage")
        }
        let counts = subjects.map { "\($0.classified[0].recording.samples.count) samples of \($0.name)" }
        try quiet.confirm("\(output): drew \(counts.joined(separator: " and "))")
    }

    private func subject(_ path: String) throws -> (RecordingPicture.Subject, damage: Failure?) {
        let file = SampleInput(path, timeUnit: time.unit)
        let recording = try RecordedRun(file)
        let classified = classifier.map { choice in
            (classifier: choice.name, recording: ClassifiedRecording(recording, settings: choice.settings))
        }
        let span = classified[0].recording.span
        guard (span.upperBound - span.lowerBound).isFinite else {
            throw Failure("\(file.name): time range too large to draw")
        }
        ScaleNotice.print(classified[0].recording.scale, of: path)
        let isDamaged = recording.damage != nil
        return (.init(name: file.shortName, classified: classified, isDamaged: isDamaged), recording.damage)
    }
}
