// SPDX-License-Identifier: Apache-2.0

import Glibc
import Posix

/// The file of a picture: SVG, or PNG through `rsvg-convert` (librsvg).
///
/// A failure keeps the previous file.
struct PictureFile {
    private let file: WholeFile
    private var path: String { file.path }

    /// The scale of a PNG: about 250 dots per inch for a page 720 units wide.
    private static let zoom = "2.5"
    private static let program = "rsvg-convert"

    init(path: String, mayReplace: Bool) {
        file = WholeFile(path: path, mayReplace: mayReplace)
    }

    /// Whether the suffix is one of the formats.
    static func isValid(_ path: String) -> Bool { isPNG(path) || path.lowercased().hasSuffix(".svg") }

    private static func isPNG(_ path: String) -> Bool { path.lowercased().hasSuffix(".png") }

    /// Checks whether writing would fail, before the samples are read.
    func check() throws {
        try file.check()
        guard Self.isPNG(path) else { return }
        let folders = (Environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":", omittingEmptySubsequences: false)
        guard folders.contains(where: { access("\($0.isEmpty ? "." : $0)/\(Self.program)", X_OK) == 0 }) else {
            throw Failure("\(path): \(Self.program) not found; install librsvg2-bin, or write .svg")
        }
    }

    func write(_ svg: String) throws {
        // Blocks Ctrl-C until the temporary file is renamed or removed.
        var (signals, previous) = (sigset_t(), sigset_t())
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        if Self.isPNG(path) {
            try file.make { try convert(svg, to: $0) }
        } else {
            try file.write(svg)
        }
    }

    private func convert(_ svg: String, to temporary: String) throws {
        // A name with a leading dash would be parsed as an option.
        let output = temporary.hasPrefix("-") ? "./" + temporary : temporary
        let end: ProgramEnd
        do {
            end = try SystemCommand.run([Self.program, "--zoom", Self.zoom, "--output", output], input: svg)
        } catch {
            throw Failure("\(path): cannot write: \(error); install librsvg2-bin, or write .svg")
        }
        guard end.isSuccess else { throw Failure("\(path): cannot write: \(Self.program) \(end)") }
    }
}
