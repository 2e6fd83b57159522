// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where a picture goes: SVG as it is, PNG through `rsvg-convert` (librsvg).
enum PictureFile {
    /// Print quality for a picture 720 units wide: some 250 dots per inch across a page.
    private static let zoom = "2.5"

    static func write(_ svg: String, to path: String) throws {
        switch URL(fileURLWithPath: path).pathExtension.lowercased() {
        case "svg":
            do {
                try Data(svg.utf8).write(to: URL(fileURLWithPath: path))
            } catch {
                throw Failure("\(path) cannot be written: \(error.localizedDescription)")
            }
        case "png": try convert(svg, to: path)
        default: throw Failure("\(path): the name must end in .svg or .png")
        }
    }

    private static func convert(_ svg: String, to path: String) throws {
        let process = Process()
        let input = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["rsvg-convert", "--zoom", zoom, "--output", path]
        process.standardInput = input
        // A program that is not there closes the pipe at once; that is told by its status, not by a signal.
        signal(SIGPIPE, SIG_IGN)
        do {
            try process.run()
        } catch {
            throw Failure("rsvg-convert could not be run: \(error.localizedDescription)")
        }
        try? input.fileHandleForWriting.write(contentsOf: Data(svg.utf8))
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        switch process.terminationStatus {
        case 0: return
        case 127:
            throw Failure("PNG needs rsvg-convert (Debian: librsvg2-bin); install it, or write .svg")
        case let status: throw Failure("rsvg-convert ended with status \(status); \(path) is not written")
        }
    }
}
