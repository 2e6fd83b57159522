// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The pictures of the documentation, drawn by `make pictures`.
@Suite struct PictureTests {
    @Test func `the pictures show the current output of the programs`() throws {
        let script = Programs.packageFolder + "/Scripts/make-pictures.py"
        let programs = URL(fileURLWithPath: Programs.tool).deletingLastPathComponent().path
        let found = try RunningProgram.run(
            Programs.python, [script, "--check", programs, Programs.packageFolder + "/docs"])
        #expect(found.output == [])
        #expect(found.status == 0, "\(found.errors)")
    }

    @Test func `a picture with another text is reported as out of date`() throws {
        let folder = try TemporaryDirectory()
        let script = Programs.packageFolder + "/Scripts/make-pictures.py"
        let programs = URL(fileURLWithPath: Programs.tool).deletingLastPathComponent().path
        let picture = try String(contentsOfFile: Programs.packageFolder + "/docs/watch.svg", encoding: .utf8)
        try picture.replacingOccurrences(of: "connected", with: "linked")
            .write(toFile: folder.path + "/watch.svg", atomically: true, encoding: .utf8)
        let found = try RunningProgram.run(Programs.python, [script, "--check", programs, folder.path])
        #expect(found.output == ["\(folder.path)/watch.svg: out of date: run `make pictures`"])
        #expect(found.status == 1)
    }
}
