// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel
import Recordings

/// `orientationctl convert`: from one of the two formats to either.
struct Convert: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Convert between recordings and plain CSV.",
        discussion: """
            The result goes to standard output. csv: lines t,x,y,z for other programs, without the header and the raw \
            values. recording: the project's format, in m/s²; facts about the sensor that plain CSV lacks are left out.

            Examples:
              orientationctl convert walk.rec > walk.csv
              orientationctl convert --unit g walk.rec > walk-in-g.csv
              orientationctl convert --from-unit g --format recording phone.csv > phone.rec
            """)

    private static let formats = WordList(["csv", "recording"])

    @Option(
        parsing: .unconditional, help: "Write csv or recording; csv without it.", completion: .list(formats.words),
        transform: formats.parse)
    var format = "csv"

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Write csv in ms2 or g; ms2 without it.", valueName: "unit"),
        completion: .list(AccelerationUnit.names.words), transform: AccelerationUnit.parse)
    var unit = AccelerationUnit.ms2

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Read the input as ms2 or g; ms2 without it.", valueName: "unit"),
        completion: .list(AccelerationUnit.names.words), transform: AccelerationUnit.parse)
    var fromUnit = AccelerationUnit.ms2

    @Argument(help: SampleInput.help, completion: .file())
    var file: String

    func validate() throws {
        if format == "recording", unit != .ms2 {
            throw ValidationError("a recording is in m/s²: --unit g belongs to --format csv")
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
        } pieceDone: {
            try output.flush()
        }
        // A damaged recording throws before this: the output lacks its end too, and shows that.
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
            throw ValidationError("no such unit")
        }
        return unit
    }

    var inMetresPerSecondSquared: Double { self == .g ? Acceleration.standardGravity : 1 }
}
