// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel

/// `orientationctl plot`: a recording as a picture, or the classifier's bands of hysteresis.
struct Plot: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draw a recording and what the classifier makes of it.",
        discussion: """
            A second recording is drawn below the first; several classifiers are drawn one above the other. \
            --bands draws instead which answer each attitude gives.
            """)

    @Argument(help: SampleInput.help)
    var paths: [String] = []

    @Option(name: .shortAndLong, help: "The picture: a name that ends in .svg or .png.")
    var output: String

    @Option(help: ClassifierChoice.help, transform: ClassifierChoice.parse)
    var classifier: [ClassifierChoice] = [.standard]

    @Flag(help: "Draw the bands of hysteresis instead of a recording.")
    var bands = false

    func validate() throws {
        if bands != paths.isEmpty { throw ValidationError("Give either recordings or --bands.") }
        if paths.count > 2 { throw ValidationError("Two recordings can be compared, not more.") }
        if bands, classifier.count > 1 { throw ValidationError("--bands draws one classifier.") }
    }

    func run() throws {
        try PictureFile.write(bands ? bandsPicture() : recordingPicture(), to: output)
    }

    private func bandsPicture() -> String {
        BandsPicture.document(classifier[0].settings, name: classifier[0].name)
    }

    private func recordingPicture() throws -> String {
        let subjects = try paths.map { path in
            let recordings = try ClassifiedRecording.read(SampleInput(path), classifier.map(\.settings))
            let classified = zip(classifier.map(\.name), recordings).map {
                (classifier: $0, recording: $1)
            }
            let name = path == "-" ? "standard input" : path.split(separator: "/").last.map(String.init)
            return RecordingPicture.Subject(name: name ?? path, classified: classified)
        }
        return RecordingPicture.document(of: subjects)
    }
}
