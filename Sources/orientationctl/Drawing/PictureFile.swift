// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where a picture goes: SVG as it is, PNG through `rsvg-convert` (librsvg).
///
/// A failure leaves what was there before.
enum PictureFile {
    /// Print quality for a picture 720 units wide: some 250 dots per inch across a page.
    private static let zoom = "2.5"
    private static let program = "rsvg-convert"

    static func write(_ svg: String, to path: String) throws {
        let name = path.lowercased()
        let isPNG = name.hasSuffix(".png")
        guard isPNG || name.hasSuffix(".svg") else { throw Failure("\(path): the name must end in .svg or .png") }
        // Ctrl-C waits until the draft is gone: what is left to do is short.
        var (endings, former) = (sigset_t(), sigset_t())
        sigemptyset(&endings)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&endings, signal) }
        pthread_sigmask(SIG_BLOCK, &endings, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        let file = WholeFile(path: path)
        if isPNG {
            try file.make { try convert(svg, to: $0, for: path) }
        } else {
            try file.write(svg)
        }
    }

    private static func convert(_ svg: String, to draft: String, for path: String) throws {
        // A name that begins with a dash would be taken for an option.
        let output = draft.hasPrefix("-") ? "./" + draft : draft
        let end: ProgramEnd
        do {
            end = try Converter.run([program, "--zoom", zoom, "--output", output], input: svg)
        } catch {
            throw Failure("cannot write \(path): \(error) (Debian: librsvg2-bin); install it, or write .svg")
        }
        guard end.isSuccess else { throw Failure("cannot write \(path): \(program) \(end)") }
    }
}
