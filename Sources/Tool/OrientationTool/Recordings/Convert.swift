// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel
import Recordings

/// `orientationctl convert`: converts between recordings and plain CSV, and writes recordings of scenarios.
struct Convert: LocalCommand {
    static let configuration = CommandConfiguration(
        abstract: "Convert between recordings and CSV, or simulate a recording",
        discussion: """
            Writes to standard output. csv: lines t,x,y,z for other programs, without the header and the raw values. \
            recording: the project's format, in m/s²; without a header if the input is plain CSV.

            --scenario writes a simulated motion of a device, which orientationd --sensor replay:FILE plays.

            Examples:
              orientationctl convert walk.rec > walk.csv
              orientationctl convert --unit g walk.rec > walk-in-g.csv
              orientationctl convert --format recording phone.csv > phone.rec
              orientationctl convert --scenario walking > simulated.rec
            """)

    private static let formats = WordList(["csv", "recording"])
    private static let scenarios = WordList(Scenario.all, \.name)
    private static let rate = 50.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Output format: csv or recording", discussion: "Default: csv, with --scenario recording."),
        completion: .list(formats.words), transform: formats.parse)
    var format: String?

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

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Simulated motion instead of a file", discussion: scenarios.help, valueName: "name"),
        completion: .list(scenarios.words), transform: scenarios.parse)
    var scenario: Scenario?

    @Argument(help: SampleInput.help, completion: .file())
    var file: String?

    private var isRecording: Bool { (format ?? (scenario == nil ? "csv" : "recording")) == "recording" }

    func validate() throws {
        if isRecording, unit != .ms2 {
            throw ValidationError("--unit g requires --format csv: recordings are in m/s²")
        }
        if file == nil, scenario == nil { throw ValidationError("missing expected argument '<file>'") }
        if file != nil || fromUnit != nil, scenario != nil {
            throw ValidationError("--scenario and a file or --from-unit are mutually exclusive")
        }
    }

    func run() throws {
        let output = try TextOutput(path: "-", mayReplace: true)
        var writer = RecordingWriter(.plainCSV)
        let factor = (fromUnit ?? .ms2).inMetresPerSecondSquared / unit.inMetresPerSecondSquared
        let begin = { (header: RecordingHeader) in
            if isRecording { writer = RecordingWriter(.recording(header)) }
            output.add(writer.beginning())
        }
        let add = { (recorded: RecordedSample) in
            var recorded = recorded
            if factor != 1 { recorded.sample.acceleration = factor * recorded.sample.acceleration }
            output.add(writer.line(recorded))
        }
        if let file {
            let input = SampleInput(file, timeUnit: time.unit, ignoresUnits: fromUnit != nil)
            try input.read(add, began: begin) {
                try output.flush()
            }
        } else if let scenario {
            var header = RecordingHeader()
            header.device = "scenario \(scenario.name)"
            header.rate = Self.rate
            header.natural = .portrait
            begin(header)
            for sample in scenario.samples(hertz: Self.rate) { add(RecordedSample(sample)) }
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
