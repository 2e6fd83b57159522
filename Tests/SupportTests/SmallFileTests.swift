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
}
