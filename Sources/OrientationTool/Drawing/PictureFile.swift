// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A picture's file: SVG, or PNG through `rsvg-convert` (librsvg).
///
/// A failure leaves a former file as it was.
struct PictureFile {
    private let file: WholeFile
    private var path: String { file.path }

    /// Print quality for a picture 720 units wide: some 250 dots per inch across a page.
    private static let zoom = "2.5"
    private static let program = "rsvg-convert"

    init(path: String, mayReplace: Bool) {
        file = WholeFile(path: path, mayReplace: mayReplace)
    }

    /// Whether the name tells the format.
    static func isValid(_ path: String) -> Bool { isPNG(path) || path.lowercased().hasSuffix(".svg") }

    private static func isPNG(_ path: String) -> Bool { path.lowercased().hasSuffix(".png") }

    /// Fails where writing would, before the samples are read.
    func check() throws {
        try file.check()
        guard Self.isPNG(path) else { return }
        let folders = (Environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":", omittingEmptySubsequences: false)
        guard folders.contains(where: { access("\($0.isEmpty ? "." : $0)/\(Self.program)", X_OK) == 0 }) else {
            throw Failure("\(path): \(Self.program) not found; install librsvg2-bin, or write .svg")
        }
    }

    func write(_ svg: String) throws {
        // Ctrl-C waits until the draft is renamed or removed: that is soon.
        var (endings, former) = (sigset_t(), sigset_t())
        sigemptyset(&endings)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&endings, signal) }
        pthread_sigmask(SIG_BLOCK, &endings, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        if Self.isPNG(path) {
            try file.make { try convert(svg, to: $0) }
        } else {
            try file.write(svg)
        }
    }

    private func convert(_ svg: String, to draft: String) throws {
        // A name that begins with a dash would be an option.
        let output = draft.hasPrefix("-") ? "./" + draft : draft
        let end: ProgramEnd
        do {
            end = try Converter.run([Self.program, "--zoom", Self.zoom, "--output", output], input: svg)
        } catch {
            throw Failure("\(path): cannot write: \(error); install librsvg2-bin, or write .svg")
        }
        guard end.isSuccess else { throw Failure("\(path): cannot write: \(Self.program) \(end)") }
    }
}
