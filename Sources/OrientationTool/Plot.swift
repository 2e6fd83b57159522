// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel

/// `orientationctl plot`: draws a recording, or the classifier's bands of hysteresis.
struct Plot: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draw a recording and its classification.",
        discussion: """
            A second recording is drawn below the first; several classifiers are drawn one above the other. --bands draws \
            instead which orientation each attitude gives. A recording may have 4000000 samples: 11 hours at 100 per \
            second. The file is written when the picture is complete.

            Examples:
              orientationctl plot walk.rec -o walk.svg
              orientationctl plot before.rec after.rec -o both.png
              orientationctl plot --classifier standard --classifier calm walk.rec -o walk.svg
              orientationctl plot --bands --classifier quick -o bands.svg
            """)

    @Argument(help: SampleInput.help, completion: .file())
    var paths: [String] = []

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: ArgumentHelp("The picture: a name that ends in .svg or .png.", valueName: "file"),
        completion: .file(extensions: ["svg", "png"]))
    var output: String

    @Option(
        parsing: .unconditionalSingleValue,
        help: ClassifierChoice.help, completion: ClassifierChoice.completion, transform: ClassifierChoice.parse)
    var classifier: [ClassifierChoice] = [.standard]

    @Flag(help: "Draw the bands of hysteresis instead of a recording.")
    var bands = false

    @OptionGroup var overwrite: OverwriteOption
    @OptionGroup var silence: QuietOption

    func validate() throws {
        if bands != paths.isEmpty { throw ValidationError("give either recordings or --bands") }
        if paths.count > 2 { throw ValidationError("two recordings can be compared, not \(paths.count)") }
        if bands, classifier.count > 1 { throw ValidationError("--bands draws one classifier") }
        guard PictureFile.isValid(output) else {
            throw ValidationError("\(output): the name must end in .svg or .png")
        }
    }

    func run() throws {
        let file = PictureFile(path: output, mayReplace: overwrite.isAllowed)
        try file.check()
        if bands {
            let choice = classifier[0]
            try file.write(BandsPicture.document(choice.settings, name: choice.name))
            return try silence.confirm("\(output): drew the bands of \(choice.name)")
        }
        var damages: [Failure] = []
        let subjects = try paths.map { path in
            let (subject, damage) = try subject(path)
            if let damage { damages.append(damage) }
            return subject
        }
        try file.write(RecordingPicture.document(of: subjects))
        if !damages.isEmpty {
            throw Failure("\(damages.map(\.description).joined(separator: "; ")); \(output) shows the samples before")
        }
        let counts = subjects.map { "\($0.classified[0].recording.times.count) samples of \($0.name)" }
        try silence.confirm("\(output): drew \(counts.joined(separator: " and "))")
    }

    private func subject(_ path: String) throws -> (RecordingPicture.Subject, damage: Failure?) {
        let (recordings, damage) = try ClassifiedRecording.read(
            SampleInput(path, progress: Progress()), classifier.map(\.settings))
        ScaleNotice.say(recordings[0].scale, of: path)
        let classified = zip(classifier.map(\.name), recordings).map { (classifier: $0, recording: $1) }
        let name = SampleInput(path).name.split(separator: "/").last.map(String.init) ?? path
        return (RecordingPicture.Subject(name: name, classified: classified, isDamaged: damage != nil), damage)
    }
}
