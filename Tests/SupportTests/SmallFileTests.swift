// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing
import TestSupport

@Suite("Small files") struct SmallFileTests {
    @Test("regular files are read up to a size, pipes and directories are not")
    func files() throws {
        let directory = try TemporaryDirectory()
        let file = directory.path("file"), pipe = directory.path("pipe")
        try "text".write(toFile: file, atomically: false, encoding: .utf8)
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(SmallFile.read(file, atMost: 100) == "text")
        #expect(SmallFile.read(file, atMost: 2) == "te")
        #expect(SmallFile.read(pipe, atMost: 100) == nil)
        #expect(SmallFile.read(directory.path("."), atMost: 100) == nil)
    }

    @Test func `a file that stays open returns its current first line, and pipes are refused`() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("1\n", to: "attribute")
        let attribute = try SysfsFile(path: path)
        #expect(try attribute.read() == "1")
        // In place: the file stays open.
        try Data("22\n3\n".utf8).write(to: URL(filePath: path))
        #expect(try attribute.read() == "22")
        #expect(mkfifo(directory.path("pipe"), 0o600) == 0)
        for (name, code) in [("pipe", EINVAL), ("absent", ENOENT)] {
            do {
                _ = try SysfsFile(path: directory.path(name))
                Issue.record("opened \(name)")
            } catch {
                #expect(error.code == code)
            }
        }
    }
}
