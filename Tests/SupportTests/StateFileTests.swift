// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import TestSupport
import Testing

@Suite struct StateFileTests {
    private let folder: TemporaryDirectory
    private let file: StateFile

    init() throws {
        folder = try TemporaryDirectory()
        file = StateFile(path: folder.path("state"), longest: 10)
    }

    @Test func `a text is read again, one that is too long is empty`() {
        #expect(file.read() == nil && errno == ENOENT)
        #expect(file.replace(with: "text", isDurable: false) == 0)
        #expect(file.read() == "text")
        #expect(file.replace(with: "0123456789x") == 0)
        #expect(file.read()?.isEmpty == true)
        file.remove()
        #expect(file.read() == nil)
    }

    @Test func `a FIFO and a folder are not read`() throws {
        #expect(mkfifo(folder.path("state"), 0o600) == 0)
        #expect(file.read() == nil && errno == EPERM)
        #expect(unlink(folder.path("state")) == 0 && mkdir(folder.path("state"), 0o700) == 0)
        #expect(file.read() == nil && errno == EPERM)
    }

    @Test(.enabled(if: geteuid() == 0, "needs root to change the owner of a file"))
    func `a file of another user is not read`() {
        #expect(file.replace(with: "text") == 0)
        #expect(chown(folder.path("state"), 65_534, 65_534) == 0)
        #expect(file.read() == nil && errno == EPERM)
    }

    @Test func `the current boot has an id without hyphens`() {
        #expect(BootID.current()?.isEmpty == false)
        #expect(BootID.current()?.contains("-") == false)
    }
}
