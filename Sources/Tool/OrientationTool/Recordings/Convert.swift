// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Recordings

/// `orientationctl convert`: converts between recordings and plain CSV.
struct Convert: LocalCommand {
    static let configuration = CommandConfiguration(
        abstract: "Convert between recordings and CSV",
        discussion: """
            Writes to standard output. csv: lines t,x,y,z in m/s² for other programs, without the header and the raw values. \
            recording: the project's format, in m/s²; without a header if the input is plain CSV.

            Examples:
              orientationctl convert walk.rec > walk.csv
              orientationctl convert --format recording phone.csv > phone.rec
            """)

    private static let formats = WordList(["csv", "recording"])

    @Option(
        parsing: .unconditional,
        help: "Output format: csv or recording (default: csv)",
        completion: .list(formats.words), transform: formats.parse)
    var format = "csv"

    @OptionGroup var time: TimeUnitOption
    @ParentCommand var root: OrientationCtl

    @Argument(help: SampleInput.help, completion: .file(), transform: SampleInput.parse)
    var file: String

    func run() throws {
        let output = try TextOutput(path: "-", mayReplace: true)
        var writer = RecordingWriter(.plainCSV)
        try SampleInput(file, timeUnit: time.unit).read { recorded in
            output.add(writer.line(recorded))
        } began: { header in
            if format == "recording" { writer = RecordingWriter(.recording(header)) }
            output.add(writer.beginning())
        } chunkDone: {
            try output.flush()
        }
        // Not reached for a damaged input: the output then lacks its last line too, and reads as truncated.
        output.add(writer.ending())
        try output.flush()
    }
}
