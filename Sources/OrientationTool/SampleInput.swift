// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrientationModel
import Recordings

/// A recording or plain CSV, from a file or from standard input.
struct SampleInput {
    static let help = ArgumentHelp(
        "A recording, or CSV lines t,x,y,z; - for standard input.",
        discussion: "t in seconds; x, y and z in m/s² in the device frame.", valueName: "file")

    /// A file's name, or - for standard input.
    let path: String
    /// The file's name for messages.
    var name: String { path == "-" ? "standard input" : path }
    /// Shows how much is read; nil for input that is read at once.
    private let progress: Progress?

    init(_ path: String, progress: Progress? = nil) {
        self.path = path
        self.progress = progress
    }

    /// Passes on the recording's header, then the samples as they are read; `pieceDone` is called after each read.
    ///
    /// From a live pipe a read returns what is there, so that nothing waits for more.
    func read(
        _ sample: (RecordedSample) throws -> Void, began: (RecordingHeader) throws -> Void = { _ in },
        pieceDone: () throws -> Void = {}
    ) throws {
        let isStandardInput = path == "-"
        let descriptor = isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure.system(path) }
        defer { if !isStandardInput { close(descriptor) } }

        var counted = progress.map { InputProgress($0, name: name, descriptor: descriptor) }
        // What follows, an error for example, stands in a line of its own.
        defer { progress?.clear() }
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        var reader = RecordingReader()
        var isAtEnd = false
        var hasBegun = false
        while !isAtEnd {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure.system(name) }
            isAtEnd = count == 0
            counted?.take(count)
            if isAtEnd { reader.end() } else { reader.append(piece[..<count]) }
            // What came before a damaged line is good: it is handed out before the error is.
            do {
                while let next = try reader.next() {
                    if !hasBegun { try began(reader.header) }
                    hasBegun = true
                    try sample(next)
                }
                if isAtEnd, !hasBegun { try began(reader.header) }
            } catch let error as RecordingError {
                try pieceDone()
                throw Failure("\(name), \(error)")
            }
            try pieceDone()
        }
    }
}

/// Corrects the scale of a recording, and says so once on standard error.
struct ScaleNotice {
    private let path: String
    private var scale = ScaleCorrection()
    private var isSaid = false

    /// - Parameter path: A file's name, or - for standard input.
    init(_ path: String) {
        self.path = path
    }

    /// Returns the sample with the gain applied; restarts the classifier's filter when the gain changed.
    mutating func correct(
        _ sample: Sample, for classifier: inout OrientationClassifier, clearing progress: Progress
    ) -> Sample {
        let corrected = scale.correct(sample, for: &classifier)
        if !isSaid, scale.gain != 1 {
            isSaid = true
            progress.clear()
            Self.say(scale, of: path)
        }
        return corrected
    }

    /// Says what was corrected; nothing where nothing was.
    static func say(_ scale: ScaleCorrection, of path: String) {
        guard let summary = scale.summary() else { return }
        ExitStatus.say("\(SampleInput(path).name): \(summary)")
    }
}
