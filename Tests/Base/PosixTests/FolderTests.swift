// SPDX-License-Identifier: Apache-2.0

import Foundation
import Posix
import TestSupport
import Testing

@Suite struct FolderTests {
    @Test func `the names are sorted, without hidden ones, and limited`() throws {
        let folder = try TemporaryDirectory()
        // By bytes: the character of the second one comes after z.
        for name in ["z", "e\u{301}", ".hidden"] { _ = try folder.write("", to: name) }
        #expect(try Folder.names(in: folder.path) == ["e\u{301}", "z"])
        #expect(try Folder.names(in: folder.path, atMost: 0).isEmpty)
    }

    @Test func `a folder that cannot be listed is an error`() throws {
        #expect(throws: Errno(ENOENT)) { try Folder.names(in: "/dev/absent") }
        #expect(throws: Errno(ENOTDIR)) { try Folder.names(in: "/dev/null") }
    }
}
