// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel
import Recordings
import Varlink

/// `orientationctl classify`: what the classifier makes of a recording, without a daemon.
struct Classify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print each change of orientation in a recording, the first answer included.",
        discussion: """
            A change is one line as soon as the sample that decides it was read, so that a live pipe works. \
            csv: t,orientation. json: an object with t, orientation, lastEdge, tilt and disturbance.

            Examples:
              orientationctl classify walk.rec
              orientationctl classify --json --classifier calm,edgeMargin=20 walk.rec
              orientationctl record - | orientationctl classify -
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case csv
        case json
    }

    @Option(help: "How a change is printed.")
    var format = Format.csv

    @Flag(help: "The same as --format json.")
    var json = false

    @Option(
        help: ClassifierChoice.help, completion: ClassifierChoice.completion, transform: ClassifierChoice.parse)
    var classifier = ClassifierChoice.standard

    @Argument(help: SampleInput.help, completion: .file())
    var file: String

    func run() throws {
        var classifier = OrientationClassifier(settings: classifier.settings)
        let output = TextOutput()
        try SampleInput(file, progress: Progress(isOutputVisible: true)).read { recorded in
            guard let orientation = classifier.ingest(recorded.sample) else { return }
            switch json ? .json : format {
            case .csv: output.add("\(recorded.sample.time),\(orientation)\n")
            case .json: output.add("\(object(recorded.sample.time, classifier))\n")
            }
        } pieceDone: {
            try output.flush()
        }
    }

    private func object(_ time: Double, _ classifier: OrientationClassifier) -> JSONObject {
        var json: JSONObject = ["t": .real(time), "orientation": .string(classifier.orientation.description)]
        json["lastEdge"] = classifier.lastEdge.map { .string($0.description) }
        json["tilt"] = classifier.tilt.map { .real($0) }
        json["disturbance"] = classifier.disturbance.map { .real($0) }
        return json
    }
}
