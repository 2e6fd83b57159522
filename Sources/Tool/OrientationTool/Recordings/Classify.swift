// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel
import Recordings
import Varlink

/// `orientationctl classify`: classifies a recording, without a daemon.
struct Classify: LocalCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print each change of orientation in a recording",
        discussion: """
            Prints each change as soon as its sample is read, also from a live pipe: t,orientation, or with --json an \
            object with t, orientation, lastEdge, tilt, disturbance, natural and rotation. Names are those of the \
            natural orientation in the recording's header, otherwise portrait.

            Examples:
              orientationctl classify walk.rec
              orientationctl classify --json --classifier calm,edgeMargin=20 walk.rec
              orientationctl record - | orientationctl classify -
            """)

    @Flag(help: "Print each change as a JSON object")
    var json = false

    @Option(
        parsing: .unconditional, help: ClassifierChoice.help, completion: ClassifierChoice.completion,
        transform: ClassifierChoice.parse)
    var classifier = ClassifierChoice.standard

    @OptionGroup var time: TimeUnitOption
    @ParentCommand var root: OrientationCtl

    @Argument(help: SampleInput.help, completion: .file(), transform: SampleInput.parse)
    var file: String

    func run() throws {
        let input = SampleInput(file, timeUnit: time.unit)
        var classifier = OrientationClassifier(settings: classifier.settings)
        var scale = ScaleNotice(file)
        let output = TextOutput()
        var (isEmpty, isKnown) = (true, false)
        var natural = Edge.portrait
        try input.read { recorded in
            isEmpty = false
            guard let sample = scale.correct(recorded.sample, for: &classifier),
                let pose = classifier.classify(sample)
            else { return }
            isKnown = true
            let orientation = DeviceOrientation(pose, natural: natural)
            output.add(
                json
                    ? "\(object(recorded.sample.time, orientation, classifier, natural))\n"
                    : "\(recorded.sample.time),\(orientation)\n")
        } began: { header in
            natural = header.natural ?? .portrait
        } chunkDone: {
            try output.flush()
        }
        if isEmpty { throw Failure("\(input.name): no samples") }
        try scale.end()
        if !isKnown { StandardError.print("\(input.name): no orientation: never calm, or without gravity") }
    }

    private func object(
        _ time: Double, _ orientation: DeviceOrientation, _ classifier: OrientationClassifier, _ natural: Edge
    ) -> JSONObject {
        var json: JSONObject = ["t": .real(time), "orientation": .string(orientation.description)]
        let edge = classifier.lastPanelEdge
        json["lastEdge"] = edge.map { .string(Edge($0, natural: natural).description) }
        json["tilt"] = classifier.tilt.map { .real($0) }
        json["disturbance"] = classifier.disturbance.map { .real($0) }
        json["natural"] = .string(natural.description)
        json["rotation"] = edge.map { .integer(Int64($0.rotation)) }
        return json
    }
}
