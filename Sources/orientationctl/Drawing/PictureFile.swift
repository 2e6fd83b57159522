// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where a picture goes: SVG as it is, PNG through `rsvg-convert` (librsvg).
///
/// It is made beside its place and then put there, so that a failure leaves what was there before.
enum PictureFile {
    /// Print quality for a picture 720 units wide: some 250 dots per inch across a page.
    private static let zoom = "2.5"

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
        // The process's number keeps two runs apart.
        let draft = "\(path).\(getpid()).part"
        do {
            try isPNG ? convert(svg, to: draft, for: path) : writeText(svg, to: draft, for: path)
            guard rename(draft, path) == 0 else { throw Failure.system("\(path) cannot be written") }
        } catch {
            unlink(draft)
            throw error
        }
    }

    private static func writeText(_ text: String, to draft: String, for path: String) throws {
        do {
            let output = try TextOutput(path: draft)
            output.add(text)
            try output.flush()
        } catch {
            throw Failure("\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
    }

    private static func convert(_ svg: String, to draft: String, for path: String) throws {
        // A name that begins with a dash would be taken for an option.
        let output = draft.hasPrefix("-") ? "./" + draft : draft
        let status = try Converter.run(["rsvg-convert", "--zoom", zoom, "--output", output], input: svg)
        switch status {
        case 0: return
        case 127: throw Failure("PNG needs rsvg-convert (Debian: librsvg2-bin); install it, or write .svg")
        default: throw Failure("\(path) cannot be written: rsvg-convert ended with status \(status)")
        }
    }
}
