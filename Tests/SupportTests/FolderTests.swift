// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import TestSupport
import Testing

@Suite struct FolderTests {
    @Test func `the names are sorted, without hidden ones, and limited`() throws {
        let folder = try TemporaryDirectory()
        for name in ["b", "a", ".hidden"] { _ = try folder.write("", to: name) }
        #expect(try Folder.names(in: folder.path) == ["a", "b"])
        #expect(try Folder.names(in: folder.path, atMost: 0).isEmpty)
    }

    @Test func `a folder that cannot be listed is an error`() throws {
        #expect(throws: Errno(ENOENT)) { try Folder.names(in: "/nonexistent") }
        #expect(throws: Errno(ENOTDIR)) { try Folder.names(in: "/dev/null") }
    }
}
