// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel
import Recordings

/// `orientationctl convert`: converts between recordings and plain CSV.
struct Convert: LocalCommand {
    static let configuration = CommandConfiguration(
        abstract: "Convert between recordings and CSV",
        discussion: """
            Writes to standard output. csv: lines t,x,y,z for other programs, without the header and the raw values. \
            recording: the project's format, in m/s²; without a header if the input is plain CSV.

            Examples:
              orientationctl convert walk.rec > walk.csv
              orientationctl convert --unit g walk.rec > walk-in-g.csv
              orientationctl convert --format recording phone.csv > phone.rec
            """)

    private static let formats = WordList(["csv", "recording"])

    @Option(
        parsing: .unconditional,
        help: "Output format: csv or recording (default: csv)",
        completion: .list(formats.words), transform: formats.parse)
    var format = "csv"

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Unit of the CSV output: ms2 or g (default: ms2)", valueName: "unit"),
        completion: .list(AccelerationUnit.list.words), transform: AccelerationUnit.list.parse)
    var unit = AccelerationUnit.ms2

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Unit of the input: ms2 or g", discussion: "Default: by the column names, otherwise ms2.", valueName: "unit"
        ),
        completion: .list(AccelerationUnit.list.words), transform: AccelerationUnit.list.parse)
    var fromUnit: AccelerationUnit?

    @OptionGroup var time: TimeUnitOption
    @ParentCommand var root: OrientationCtl

    @Argument(help: SampleInput.help, completion: .file())
    var file: String

    private var isRecording: Bool { format == "recording" }

    func validate() throws {
        if isRecording, unit != .ms2 {
            throw ValidationError("--unit g requires --format csv: recordings are in m/s²")
        }
    }

    func run() throws {
        let output = try TextOutput(path: "-", mayReplace: true)
        var writer = RecordingWriter(.plainCSV)
        let factor = (fromUnit ?? .ms2).inMetresPerSecondSquared / unit.inMetresPerSecondSquared
        let input = SampleInput(file, timeUnit: time.unit, ignoresUnits: fromUnit != nil)
        try input.read { recorded in
            var recorded = recorded
            if factor != 1 { recorded.sample.acceleration = factor * recorded.sample.acceleration }
            output.add(writer.line(recorded))
        } began: { header in
            if isRecording { writer = RecordingWriter(.recording(header)) }
            output.add(writer.beginning())
        } chunkDone: {
            try output.flush()
        }
        // Not reached for a damaged input: the output then lacks its last line too, and reads as truncated.
        output.add(writer.ending())
        try output.flush()
    }
}

enum AccelerationUnit: String, CaseIterable {
    case ms2
    case g

    static let list = WordList(allCases, \.rawValue)

    var inMetresPerSecondSquared: Double { self == .g ? Acceleration.standardGravity : 1 }
}
