// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrientationModel
import Posix
import Recordings

/// Reads a recording or CSV from a file or standard input.
struct SampleInput {
    static let help = ArgumentHelp(
        "Recording or CSV lines t,x,y,z; - for standard input",
        discussion: "t in seconds; x, y and z in m/s² in the device frame. Other CSV is read by its column names.",
        valueName: "file")

    /// Returns the path; throws if it is empty, as an unset variable of a script leaves it.
    @Sendable static func parse(_ path: String) throws -> String {
        if path.isEmpty { throw ValidationError("must be a file name, or -") }
        return path
    }

    /// The file's path, or - for standard input.
    let path: String
    var name: String { path == "-" ? "standard input" : path }
    /// The name without its folder.
    var shortName: String { name.split(separator: "/").last.map(String.init) ?? name }

    private let timeUnit: TimeUnit?

    /// `timeUnit` is the unit of the times of a CSV file, if it is stated.
    init(_ path: String, timeUnit: TimeUnit? = nil) {
        self.path = path
        self.timeUnit = timeUnit
    }

    /// Reads to the end. Calls `began` with the header, `sample` with each sample, and `chunkDone` after each read.
    ///
    /// A read from a pipe returns the available bytes, so that samples are not delayed.
    func read(
        _ sample: (RecordedSample) throws -> Void, began: (RecordingHeader) throws -> Void = { _ in },
        chunkDone: () throws -> Void = {}
    ) throws {
        let file: OwnedDescriptor
        do throws(Errno) { file = try OwnedDescriptor(input: path) } catch {
            throw Failure("\(name): cannot open: \(error)")
        }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var reader = RecordingReader(timeUnit: timeUnit)
        var notes: [String] = []
        var isAtEnd = false
        var hasBegun = false
        while !isAtEnd {
            let count = Glibc.read(file.number, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure.system("\(name): cannot read") }
            isAtEnd = count == 0
            if isAtEnd { reader.end() } else { reader.append(chunk[..<count]) }
            // Samples before a damaged line are valid: deliver them before the error.
            do {
                while let next = try reader.next() {
                    if !hasBegun { try began(reader.header) }
                    hasBegun = true
                    let found = [reader.columnNote, reader.timeNote.map { "\($0); --time-unit overrides" }]
                    for note in found.compactMap(\.self) where !notes.contains(note) {
                        notes.append(note)
                        StandardError.print("\(name): \(note)".replacingControls())
                    }
                    try sample(next)
                }
                if isAtEnd, !hasBegun { try began(reader.header) }
            } catch let error as RecordingError {
                try chunkDone()
                throw Failure("\(name), \(error)")
            }
            try chunkDone()
        }
    }
}

/// The option `--time-unit` of the commands that read CSV.
struct TimeUnitOption: ParsableArguments {
    private static let list = WordList(TimeUnit.allCases, \.rawValue)

    @Option(
        name: .customLong("time-unit"), parsing: .unconditional,
        help: ArgumentHelp(
            "Unit of the times of CSV: s, ms, us or ns", discussion: "Default: by their name, or their median step.",
            valueName: "unit"),
        completion: .list(list.words), transform: list.parse)
    var unit: TimeUnit?
}

/// Corrects the scale of a recording, and reports it once on standard error.
struct ScaleNotice {
    private let path: String
    private var scale = ScaleEstimate()
    private var isPrinted = false

    /// - Parameter path: The file's path, or - for standard input.
    init(_ path: String) {
        self.path = path
    }

    /// Returns the sample in m/s²; nil if it cannot be classified. Restarts the classifier's filter when the factor changes.
    mutating func correct(_ sample: Sample, for classifier: inout OrientationClassifier) -> Sample? {
        let corrected = scale.correct(sample, for: &classifier)
        if scale.isMeasured, scale.gain != 1 { print() }
        return corrected
    }

    /// Reports the end of the recording.
    ///
    /// - Throws: ``Failure`` if no sample was gravity.
    mutating func end() throws {
        print()
        if let reason = Self.obstacle(scale) { throw Failure("\(SampleInput(path).name): \(reason)") }
    }

    private mutating func print() {
        guard !isPrinted, scale.factor != 1, !scale.lacksGravity else { return }
        isPrinted = true
        Self.print(scale, of: path)
    }

    /// Prints the correction, or that the recording has no gravity; nothing otherwise.
    static func print(_ scale: ScaleEstimate, of path: String) {
        guard let message = obstacle(scale) ?? scale.summary else { return }
        StandardError.print("\(SampleInput(path).name): \(message)")
    }

    private static func obstacle(_ scale: ScaleEstimate) -> String? {
        !scale.lacksGravity ? nil : "no gravity: \(scale.readingsWithoutGravity)"
    }
}
