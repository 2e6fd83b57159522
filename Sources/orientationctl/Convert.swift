// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Recordings

/// `orientationctl convert`: from one of the two formats to either.
struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Turn a recording into plain CSV, or plain CSV into a recording.",
        discussion: """
            The result goes to standard output. csv: lines t,x,y,z for other programs, without the header and the raw \
            values. recording: the project's format; what plain CSV does not tell of the sensor stays out.

            Examples:
              orientationctl convert walk.rec > walk.csv
              orientationctl convert --format recording phone.csv > phone.rec
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case csv
        case recording
    }

    @Option(help: "What to make of it.")
    var format = Format.csv

    @Argument(help: SampleInput.help, completion: .file())
    var file: String

    func run() throws {
        let output = TextOutput()
        var writer = RecordingWriter(.plainCSV)
        try SampleInput(file, progress: Progress(isOutputVisible: true)).read { recorded in
            output.add(writer.line(recorded))
        } began: { header in
            if format == .recording { writer = RecordingWriter(.recording(header)) }
            output.add(writer.beginning())
        } pieceDone: {
            try output.flush()
        }
        // A damaged recording throws before this: what is made of it is cut short too, and shows it.
        output.add(writer.ending())
        try output.flush()
    }
}
