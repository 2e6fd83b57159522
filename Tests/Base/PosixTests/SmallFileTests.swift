// SPDX-License-Identifier: Apache-2.0

import Foundation
import Posix
import TestSupport
import Testing

@Suite struct SmallFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func `regular files are read up to a size, pipes and directories are not`() throws {
        let file = directory.path("file"), pipe = directory.path("pipe")
        try "text".write(toFile: file, atomically: false, encoding: .utf8)
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(SmallFile.read(file, atMost: 100) == "text")
        #expect(SmallFile.read(file, atMost: 2) == "te")
        #expect(SmallFile.read(pipe, atMost: 100) == nil)
        #expect(SmallFile.read(directory.path("."), atMost: 100) == nil)
    }

    @Test(arguments: [
        ("first\nsecond\n", "first"), ("no end", "no end"), ("word\0rest\n", "word"), ("long line\n", "long lin"),
        // Bytes, not characters: CR LF and a line feed with a combining mark are one character each.
        ("a\r\nb", "a\r"), ("a\n\u{301}b", "a"),
    ])
    func `the first line ends at a line feed, at a NUL, or at the limit`(content: String, line: String) throws {
        #expect(SmallFile.line(try directory.write(content, to: "file"), atMost: 8) == line)
    }

    @Test func `an empty line is nil, as is an absent file`() throws {
        let file = try directory.write("\nsecond\n", to: "file")
        #expect(SmallFile.line(file) == nil)
        #expect(SmallFile.line(directory.path("absent")) == nil)
    }

    @Test func `the error states why a file is not read`() throws {
        #expect(mkfifo(directory.path("pipe"), 0o600) == 0)
        for (path, error) in [
            (directory.path("pipe"), Errno.notRegular), ("/dev/zero", .notRegular), (directory.path, Errno(EISDIR)),
            (directory.path("absent"), Errno(ENOENT)),
        ] {
            #expect(throws: error) { try SmallFile.contents(path, atMost: 100) }
        }
        #expect("\(Errno.notRegular)" == "not a regular file" && "\(Errno(EISDIR))" == "Is a directory")
    }

    @Test func `a file that stays open returns its current first line, and pipes are refused`() throws {
        let path = try directory.write("1\n", to: "attribute")
        let attribute = try SysfsFile(path: path)
        #expect(try attribute.read() == "1")
        // In place: the file stays open.
        try Data("22\n3\n".utf8).write(to: URL(filePath: path))
        #expect(try attribute.read() == "22")
        #expect(mkfifo(directory.path("pipe"), 0o600) == 0)
        #expect(throws: Errno.notRegular) { _ = try SysfsFile(path: directory.path("pipe")) }
    }
}
