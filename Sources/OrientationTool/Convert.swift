// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel
import Recordings

/// `orientationctl convert`: converts between recordings and plain CSV.
struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Convert between recordings and plain CSV",
        discussion: """
            Writes to standard output. csv: lines t,x,y,z for other programs, without the header and the raw values. \
            recording: the project's format, in m/s²; without a header if the input is plain CSV.

            Examples:
              orientationctl convert walk.rec > walk.csv
              orientationctl convert --unit g walk.rec > walk-in-g.csv
              orientationctl convert --from-unit g --format recording phone.csv > phone.rec
            """)

    private static let formats = WordList(["csv", "recording"])

    @Option(
        parsing: .unconditional, help: "Output format: csv or recording (default: csv)",
        completion: .list(formats.words),
        transform: formats.parse)
    var format = "csv"

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Unit of the CSV output: ms2 or g (default: ms2)", valueName: "unit"),
        completion: .list(AccelerationUnit.names.words), transform: AccelerationUnit.parse)
    var unit = AccelerationUnit.ms2

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Unit of the input: ms2 or g (default: ms2)", valueName: "unit"),
        completion: .list(AccelerationUnit.names.words), transform: AccelerationUnit.parse)
    var fromUnit = AccelerationUnit.ms2

    @Argument(help: SampleInput.help, completion: .file())
    var file: String

    func validate() throws {
        if format == "recording", unit != .ms2 {
            throw ValidationError("--unit g requires --format csv: recordings are in m/s²")
        }
    }

    func run() throws {
        let output = try TextOutput(path: "-", mayReplace: true)
        var writer = RecordingWriter(.plainCSV)
        let factor = fromUnit.inMetresPerSecondSquared / unit.inMetresPerSecondSquared
        try SampleInput(file, progress: Progress(yieldsToOutput: true)).read { recorded in
            var recorded = recorded
            if factor != 1 { recorded.sample.acceleration = factor * recorded.sample.acceleration }
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

/// The unit of an acceleration in a file.
enum AccelerationUnit: String {
    case ms2
    case g

    static let names = WordList(["ms2", "g"])

    @Sendable static func parse(_ text: String) throws -> AccelerationUnit {
        guard let unit = AccelerationUnit(rawValue: try names.parse(text)) else {
            throw ValidationError(names.hint(text))
        }
        return unit
    }

    var inMetresPerSecondSquared: Double { self == .g ? Acceleration.standardGravity : 1 }
}
