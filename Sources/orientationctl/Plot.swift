// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel

/// `orientationctl plot`: a recording as a picture, or the classifier's bands of hysteresis.
struct Plot: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draw a recording and what the classifier makes of it.",
        discussion: """
            A second recording is drawn below the first; several classifiers are drawn one above the other. \
            --bands draws instead which answer each attitude gives. The picture is put into its place when it is finished.

            Examples:
              orientationctl plot walk.rec -o walk.svg
              orientationctl plot before.rec after.rec -o both.png
              orientationctl plot --classifier standard --classifier calm walk.rec -o walk.svg
              orientationctl plot --bands --classifier quick -o bands.svg
            """)

    @Argument(help: SampleInput.help, completion: .file())
    var paths: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The picture: a name that ends in .svg or .png.", valueName: "file"),
        completion: .file(extensions: ["svg", "png"]))
    var output: String

    @Option(
        help: ClassifierChoice.help, completion: ClassifierChoice.completion, transform: ClassifierChoice.parse)
    var classifier: [ClassifierChoice] = [.standard]

    @Flag(help: "Draw the bands of hysteresis instead of a recording.")
    var bands = false

    func validate() throws {
        if bands != paths.isEmpty { throw ValidationError("Give either recordings or --bands.") }
        if paths.count > 2 { throw ValidationError("Two recordings can be compared, not more.") }
        if bands, classifier.count > 1 { throw ValidationError("--bands draws one classifier.") }
    }

    func run() throws {
        if bands {
            let choice = classifier[0]
            try PictureFile.write(BandsPicture.document(choice.settings, name: choice.name), to: output)
            return
        }
        var damages: [Failure] = []
        let subjects = try paths.map { path in
            let (subject, damage) = try subject(path)
            if let damage { damages.append(damage) }
            return subject
        }
        try PictureFile.write(RecordingPicture.document(of: subjects), to: output)
        if !damages.isEmpty {
            let told = damages.map(\.description).joined(separator: "; ")
            throw Failure("\(told); \(output) shows what comes before")
        }
    }

    private func subject(_ path: String) throws -> (RecordingPicture.Subject, damage: Failure?) {
        let (recordings, damage) = try ClassifiedRecording.read(
            SampleInput(path, progress: Progress(isOutputVisible: false)), classifier.map(\.settings))
        let classified = zip(classifier.map(\.name), recordings).map { (classifier: $0, recording: $1) }
        let name = path == "-" ? "standard input" : path.split(separator: "/").last.map(String.init) ?? path
        return (RecordingPicture.Subject(name: name, classified: classified, isDamaged: damage != nil), damage)
    }
}
